export type { Issue, Severity } from '../core/issue.ts'
export { LegibleError } from '../core/legible-error.ts'
export type { Limits } from '../core/limits.ts'
export type { Read, Reader } from '../core/read.ts'
export type { Span } from '../core/span.ts'
export {
  createReplyReader,
  type ReplyOptions,
  type ReplyReader,
  type ReplyReaderOptions,
} from './create-reply-reader.ts'
export { describeReply } from './describe-reply.ts'
export { formatReply } from './format-reply.ts'
export { readReply } from './read-reply.ts'
export type { ActionReply, ErrorReply, Reply, TextReply } from './reply.ts'
export { type RetryAdvice, retryAdvice } from './retry-advice.ts'
export type { ReplyEvent } from './shown-text.ts'
