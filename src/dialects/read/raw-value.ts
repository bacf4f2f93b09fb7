/** The text of an argument, and what is known about it. */
export interface RawValue {
  readonly text: string
  /** `true`: its tag says that it is text; `false`: that it is not. */
  readonly isText?: boolean | undefined
  /** No tags stand in it, that was seen already. */
  readonly flat?: boolean
}
