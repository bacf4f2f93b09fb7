/** A half-open range `[start, end)` of UTF-16 offsets in the original text. */
export type Span = readonly [start: number, end: number]
