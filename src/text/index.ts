export type { Issue, Severity } from '../core/issue.ts'
export { LegibleError } from '../core/legible-error.ts'
export type { Read, Reader } from '../core/read.ts'
export { reasoningTags } from '../core/reasoning-tag.ts'
export type { Span } from '../core/span.ts'
export type {
  FormattedSection,
  Part,
  Parts,
  PartsRead,
  ReasoningPart,
  SectionLike,
  SectionPart,
  TextEvent,
  TextFormat,
  TextPart,
  TextReader,
  TextReaderOptions,
} from './format.ts'
export { type LabelsOptions, labels } from './labels.ts'
export { type MarkdownOptions, markdown } from './markdown.ts'
export type { FormatOptions } from './ruled-format.ts'
export {
  createTagSplitter,
  splitTags,
  type TagEvent,
  type TagPiece,
  type TagSplit,
  type TagSplitter,
  type TagSplitterOptions,
} from './tag-splitter.ts'
export type { TextLimits } from './text-limits.ts'
export { type XmlOptions, xml } from './xml.ts'
