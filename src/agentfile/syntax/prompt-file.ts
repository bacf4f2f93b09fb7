/** The text of a file in the folder of the Agentfile; undefined if there is none. */
export type PromptFiles = (path: string) => string | undefined

export interface PromptFile {
  readonly path: string
  readonly text: string
}

/** The file that FROM means: the path itself, or the SKILL.md of a folder. */
export function promptFile(path: string, files: PromptFiles): PromptFile | undefined {
  const plain = path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  for (const one of [plain, `${plain}/SKILL.md`]) {
    const text = files(one)
    if (text !== undefined) return { path: one, text }
  }
  return undefined
}

/** Whether a path leads out of the folder it is relative to, or is not relative at all. */
export function leavesFolder(path: string): boolean {
  if (/^(?:[\\/~]|[A-Za-z][A-Za-z0-9+.-]*:)/.test(path)) return true
  let depth = 0
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
