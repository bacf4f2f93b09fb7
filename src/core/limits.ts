/** Model text is hostile: whatever grows with it is bounded by one of these. */
export interface Limits {
  /** Characters of text that are read; the rest is left out, with an issue. */
  maxLength: number
  /** Containers within containers. */
  maxDepth: number
  /** Values found in prose that are weighed against each other. */
  maxCandidates: number
  /** Issues that are listed one by one. */
  maxIssues: number
  /** Characters of YAML that are read: its parser takes about a second for this much of the worst text. */
  maxYamlLength: number
}

export const defaultLimits: Readonly<Limits> = {
  maxLength: 16 * 1024 * 1024,
  maxDepth: 256,
  maxCandidates: 64,
  maxIssues: 100,
  maxYamlLength: 128 * 1024,
}
