export { type CodeFrameOptions, formatCodeFrame } from './core/code-frame.ts'
export {
  createJsonReader,
  type Issue,
  LegibleError,
  type Read,
  readJson,
  suggestRetry,
} from './json/index.ts'
export { type DescribeSchemaOptions, describeSchema } from './schema/describe-schema.ts'
