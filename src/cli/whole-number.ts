import { InvalidArgumentError } from 'commander'

/** Longer texts do not fit into a string. */
const MOST = 2 ** 28

/** What an option that counts something was given. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MOST)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`)
  return Number(text)
}
