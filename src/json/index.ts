export type { Issue, Severity } from '../core/issue.ts'
export { LegibleError } from '../core/legible-error.ts'
export { defaultLimits, type Limits } from '../core/limits.ts'
export type { Read, Reader } from '../core/read.ts'
export type { Span } from '../core/span.ts'
export { suggestRetry } from '../core/suggest-retry.ts'
export { duration } from '../schema/duration.ts'
export type { Infer, JsonSchema, Schema, StandardSchema } from '../schema/schema.ts'
export {
  createJsonReader,
  type JsonReader,
  type JsonReaderOptions,
  type Partially,
} from './create-json-reader.ts'
export type { JsonIssueCode } from './issues.ts'
export type { JsonChange } from './live-value.ts'
export { type JsonOptions, readJson } from './read-json.ts'
