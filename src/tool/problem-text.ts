const MOST_WORDS = 1000

/** The words of an error, without the stack that some put into them. */
export function problemText(error: unknown, otherwise: string): string {
  let text = ''
  try {
    // What is thrown may be anything, and so may its message.
    text = wordsOf(error)
  } catch {}
  const lines = text.split('\n').filter((line) => !/^\s*at .*(:\d+|<anonymous>|native)\)?$/.test(line))
  const words = lines.join('\n').trim()
  if (words === '') return otherwise
  return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)}…` : words
}

function wordsOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, name } = error as { message?: unknown; name?: unknown }
  if (typeof message === 'string' && message.trim() !== '') return message
  if (error instanceof Error) return String(message || name)
  return JSON.stringify(error) ?? ''
}
