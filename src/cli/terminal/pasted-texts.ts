import { columns } from '../../core/columns.ts'

/** Long enough to recognize a message by. */
const GLIMPSE = 40

/** Texts of several lines that stand in a line as a short mark, `[12 lines pasted]`, until it is sent. */
export class PastedTexts {
  private readonly texts = new Map<string, string>()

  /** The mark for a text that was pasted. */
  paste(text: string, isCut: boolean): string {
    return this.mark(`${count(text)} pasted${isCut ? ', cut off' : ''}`, text)
  }

  /** The mark for a message of earlier. */
  recall(text: string): string {
    const start = columns(text.slice(0, GLIMPSE).split('\n', 1)[0]!).text
    return this.mark(`${count(text)}: ${start}…`, text)
  }

  /** The line with the texts themselves. A text is not looked through for marks again. */
  expand(line: string): string {
    if (this.texts.size === 0) return line
    let expanded = ''
    let at = 0
    for (let open = line.indexOf('['); open >= 0; open = line.indexOf('[', Math.max(open + 1, at))) {
      const mark = this.markAt(line, open)
      if (mark === undefined) continue
      expanded += line.slice(at, open) + this.texts.get(mark)
      at = open + mark.length
    }
    return expanded + line.slice(at)
  }

  /** The mark that ends, or begins, where the cursor is: it is deleted as a whole. */
  markBefore(line: string, cursor: number): string | undefined {
    return this.find((mark) => line.endsWith(mark, cursor))
  }
  markAt(line: string, cursor: number): string | undefined {
    return this.find((mark) => line.startsWith(mark, cursor))
  }

  private find(fits: (mark: string) => boolean): string | undefined {
    for (const mark of this.texts.keys()) if (fits(mark)) return mark
    return undefined
  }

  private mark(words: string, text: string): string {
    let mark = `[${words}]`
    for (let n = 2; this.texts.has(mark); n++) mark = `[${words} #${n}]`
    this.texts.set(mark, text)
    return mark
  }
}

function count(text: string): string {
  const lines = text.split('\n').length
  return lines > 1 ? `${lines} lines` : `${text.length} characters`
}
