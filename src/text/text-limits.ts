import { defaultLimits, type Limits } from '../core/limits.ts'

/** Model text is hostile: whatever grows with it is bounded by one of these. */
export interface TextLimits extends Pick<Limits, 'maxLength' | 'maxIssues'> {
  /** Sections, texts between them, and blocks of reasoning. */
  maxParts: number
}

export const defaultTextLimits: Readonly<TextLimits> = {
  maxLength: defaultLimits.maxLength,
  maxIssues: defaultLimits.maxIssues,
  maxParts: 10_000,
}
