import { tooLarge } from './file-bytes.ts'
import { FileError } from './file-error.ts'
import { findText } from './find-text.ts'

/** What is replaced by what. */
export interface Edit {
  readonly old: string
  readonly new: string
  /** Replaces every place; otherwise there must be exactly one. */
  readonly all?: boolean
}

const MOST = 1000

/** The text with the edit made. `most`: characters that it may have then. */
export function editText(text: string, edit: Edit, path: string, most: number): string {
  const { old, all = false } = edit
  const refuse = (problem: string) => new FileError('file.no_match', problem)
  if (old === '') throw refuse('"old" is empty; to write a whole file use fs.write.')
  if (old === edit.new) throw refuse('"old" and "new" are the same; nothing would change.')
  const find = findText(old)
  const parts: string[] = []
  let end = 0
  for (let at = find(text); at >= 0; at = find(text, end)) {
    parts.push(text.slice(end, at))
    end = at + old.length
    if (parts.length === MOST && !all) break
  }
  const count = parts.length
  if (count === 0) throw refuse(`"old" does not stand in ${path}.${hint(text, old)}`)
  if (count > 1 && !all)
    throw refuse(
      `"old" stands in ${path} ${count === MOST ? `${MOST} times or more` : `${count} times`}. Take in more of the lines around it, or say "all": true.`,
    )
  // Before it is made: many places times a long text would be more than fits into memory.
  if (text.length + count * (edit.new.length - old.length) > most) throw tooLarge(path, most)
  return [...parts, text.slice(end)].join(edit.new)
}

/** What may be the matter: models get white space wrong more often than words. */
function hint(text: string, old: string): string {
  const bare = (given: string) => given.replace(/\s+/g, '')
  const wanted = bare(old)
  if (wanted !== '' && findText(wanted)(bare(text)) >= 0)
    return ' It does if spaces and line breaks do not count: copy it exactly as fs.read gives it.'
  const folded = findText(old.toLowerCase())(text.toLowerCase()) >= 0
  return folded
    ? ' It does in other letter case.'
    : ' Read the file again, and copy what you want to replace.'
}
