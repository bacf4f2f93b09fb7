import { FileError } from './file-error.ts'

/** The text of a file as a model sees it, and what has to be put back when it is written. */
export interface FileText {
  /** Without a byte order mark; lines end with \n alone if all of them end with \r\n in the file. */
  readonly text: string
  readonly style: TextStyle
}

export interface TextStyle {
  readonly mark: boolean
  readonly crlf: boolean
}

export const plainStyle: TextStyle = { mark: false, crlf: false }

const MARK = '\ufeff'

/** Only text is read: UTF-8 without NUL. */
export function decodeText(bytes: Uint8Array, path: string): FileText {
  const binary = () =>
    new FileError('file.binary', `${path} is a binary file; file tools read text in UTF-8 only.`)
  if (bytes.includes(0)) throw binary()
  let whole: string
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw binary()
  }
  const mark = whole.startsWith(MARK)
  const text = mark ? whole.slice(1) : whole
  // Only if every \r belongs to a line end: otherwise it could not be put back.
  const crlf = text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text)
  return { text: crlf ? text.replaceAll('\r\n', '\n') : text, style: { mark, crlf } }
}

/** The text as it stands in the file. */
export function styledText(text: string, { mark, crlf }: TextStyle): string {
  const lines = crlf ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text
  return mark ? MARK + lines : lines
}

/** What a model wants to write must be readable again. */
export function checkWritable(text: string): void {
  if (text.includes('\0'))
    throw new FileError('file.invalid_text', 'The text has a NUL character; file tools write text only.')
  if (/\p{Surrogate}/u.test(text))
    throw new FileError('file.invalid_text', 'The text has half of a surrogate pair; it is no valid Unicode.')
}

/** Without the half of a character that a cut may leave at either end. */
export const wholeCharacters = (text: string): string => text.replace(/\p{Surrogate}/gu, '')
