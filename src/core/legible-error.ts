/** A mistake in the calling program: no format given, an unusable schema. Model text never causes one. */
export class LegibleError extends Error {
  override readonly name = 'LegibleError'
  /** `area.snake_case`, like the codes of issues. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
