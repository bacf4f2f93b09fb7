/** Each word that can be answered, and how many of its letters are enough. */
export type Choices<T extends string> = Readonly<Record<T, number>>

/** Which word was meant, if that is clear. */
export function matchAnswer<T extends string>(typed: string, choices: Choices<T>): T | undefined {
  const given = typed.trim().toLowerCase()
  const fitting = wordsOf(choices).filter((word) => word.startsWith(given) && given.length >= choices[word])
  const exact = fitting.find((word) => word === given)
  return exact ?? (fitting.length === 1 ? fitting[0] : undefined)
}

/** `[y]es, [n]o, [alw]ays? ` */
export const formatChoices = <T extends string>(choices: Choices<T>): string =>
  `${wordsOf(choices)
    .map((word) => `[${word.slice(0, choices[word])}]${word.slice(choices[word])}`)
    .join(', ')}? `

export const wordsOf = <T extends string>(choices: Choices<T>) => Object.keys(choices) as T[]
