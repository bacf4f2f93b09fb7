import { stripVTControlCharacters } from 'node:util'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g

/** What a person gave, without what a terminal would obey; tabs and line breaks stay. */
export const cleanInput = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r\n?|[\u2028\u2029]/g, '\n')).replace(controls, '')
