/** What a million tokens cost. */
export interface Prices {
  readonly input: number
  readonly output: number
}
