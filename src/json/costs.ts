import type { JsonIssueParams } from './issues.ts'

/**
 * What each liberty in reading costs. The reading that costs least wins: among the values of a text, the
 * variants of a union, the ways to read a value that does not fit. Everything not listed is free.
 */
export const costs: Readonly<Partial<Record<keyof JsonIssueParams, number>>> = {
  wrong_type: 1000,
  ambiguous: 1000,
  inside_reasoning: 500,
  missing_field: 100,
  used_default: 20,
  dropped_element: 20,
  unexpected_text: 10,
  list_to_single: 8,
  unwrapped: 6,
  implied_key: 6,
  nested_json: 4,
  matched: 4,
  ellipsis: 4,
  single_to_list: 3,
  renamed_key: 2,
  rounded: 2,
  lost_digits: 2,
  converted: 1,
  extra_key: 1,
}

/** A value that was cut off, against one that closed. */
export const INCOMPLETE = 60
/** A list of scalars found in prose, which may be a footnote: worse than an answer that was cut off. */
export const SCALARS_IN_PROSE = 70
/** Nothing in it. */
export const EMPTY_IN_PROSE = 80
/** The text as it stands, where a value stands in it too. */
export const BARE_TEXT = 30
/** Readings that cost less than this are of equal quality: the last one in the text wins. */
export const NEARLY_FREE = 25
