import type { Issue } from './issue.ts'

/**
 * What a reader made of a text. `ok` means that no issue is an error; `complete` means that the text was not
 * cut off. A reading that is not ok still shows what was found, as far as it goes.
 */
export type Read<T> =
  | { readonly ok: true; readonly value: T; readonly complete: boolean; readonly issues: Issue[] }
  | { readonly ok: false; readonly value?: unknown; readonly complete: boolean; readonly issues: Issue[] }

/** Every stage of the road: chunks go in, and at the end a reading comes out. One-shot is push, then end. */
export interface Reader<T> {
  push(chunk: string): void
  end(): Read<T>
}
