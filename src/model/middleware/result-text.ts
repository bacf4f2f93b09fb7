import type { LanguageModelV4FilePart, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

/** The result of a call as text for a model, and the files that come with it. */
export function resultText({ output }: LanguageModelV4ToolResultPart): {
  text: string
  files: LanguageModelV4FilePart[]
} {
  switch (output.type) {
    case 'text':
      return { text: output.value, files: [] }
    case 'json':
      return { text: JSON.stringify(output.value), files: [] }
    case 'error-text':
      return { text: /^Error:/i.test(output.value) ? output.value : `Error: ${output.value}`, files: [] }
    case 'error-json':
      return { text: `Error: ${JSON.stringify(output.value)}`, files: [] }
    case 'execution-denied':
      return {
        text: `Error: the call was not allowed${output.reason ? `: ${output.reason}` : '.'}`,
        files: [],
      }
    case 'content': {
      const files: LanguageModelV4FilePart[] = []
      const texts = output.value.flatMap((part) => {
        if (part.type === 'text') return [part.text]
        if (part.type !== 'file') return []
        files.push(part)
        // So that the model knows to which call a file belongs.
        return [`[attached: ${part.filename ?? part.mediaType}]`]
      })
      return { text: texts.join('\n'), files }
    }
  }
}
