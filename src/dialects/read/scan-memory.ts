/** What the calls of one text know of each other: so that their work stays linear, and none runs behind a guess. */
export interface ScanMemory {
  /** How often text was read again. */
  rereads: number
  /** The text ended within a value, whose end is a guess. */
  guessed: boolean
  /** The next mark that may end a body, as far as was looked; from where that was. */
  boundary: { readonly from: number; readonly at: number; readonly mark: string | undefined }
}
