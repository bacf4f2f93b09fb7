import type { Tool, ToolCall } from '../tool.ts'
import { FileError, type FileErrorCode } from './file-error.ts'
import type { UnifiedDiff } from './unified-diff.ts'

/** What a call would do to a file. `change`: `none` if the file already is as it would be. */
export type ChangePreview =
  | ({
      readonly ok: true
      readonly path: string
      readonly change: 'create' | 'replace' | 'none'
    } & UnifiedDiff)
  /** The call would be refused. `problem`: what the model would be told. */
  | { readonly ok: false; readonly code: FileErrorCode; readonly problem: string }

type Preview = (input: unknown) => Promise<ChangePreview>

/** How tools preview their calls; kept beside them, as loops and models have no use for it. */
const previews = new WeakMap<Tool, Preview>()

export function addPreview<T extends Tool>(tool: T, preview: Preview): T {
  previews.set(tool, preview)
  return tool
}

/**
 * Shows what a call of `fs.write` or `fs.edit` would change, for those who ask a person first. Changes nothing. Nothing comes
 * of a call of another tool. `tools`: as `fileTools` made them, among others or alone. The arguments
 * are those that the tool's schema let through.
 */
export async function previewChange(
  tools: readonly Tool[],
  { name, arguments: input }: Pick<ToolCall, 'name' | 'arguments'>,
): Promise<ChangePreview | undefined> {
  const tool = tools.find((one) => one.name === name)
  const preview = tool && previews.get(tool)
  if (!preview) return undefined
  try {
    return await preview(input)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { ok: false, code: error.code, problem: error.message }
  }
}
