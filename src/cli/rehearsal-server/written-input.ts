/** The arguments of a call that a client sends back; those that are no JSON stay the text that the model wrote. */
export function writtenInput(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
