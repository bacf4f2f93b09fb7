import { columns } from '../../core/columns.ts'

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
/** Terminals that know it show nothing until the second; a line that is too long does not go on in the next row. */
const BEGIN = `\x1b[?2026h${HIDE_CURSOR}\x1b[?7l`
const END = '\x1b[?7h\x1b[?2026l'

// │ printed for good
// ⠋ scout         ← the cursor stays at the start of this row, so that it is still there when a narrower window breaks lines
// ⠋ optimist
/** The rows at the end of a terminal that are drawn again and again, below what is printed for good. */
export class LiveScreen {
  private readonly output: NodeJS.WriteStream
  /** The rows that are on the screen. */
  private drawn: readonly string[] = []
  // Terminals keep the cursor where it is in the text when a narrower window breaks lines. Those made of xterm.js move it down
  // by all that became more, so there it has to be at the start of the last row. Everywhere would not do: other terminals
  // break no lines, and lines above would be lost.
  private readonly isAtEnd = process.env.TERM_PROGRAM === 'vscode'
  private isChanged = false

  constructor(output: NodeJS.WriteStream) {
    this.output = output
    output.on('resize', this.onResize)
  }

  /** A line that fills the last column may be two. */
  get width(): number {
    return Math.max(1, (this.output.columns || 80) - 1)
  }

  /** Something of what was there before stays in sight. */
  get rows(): number {
    return Math.max(1, (this.output.rows || 24) - 1)
  }

  /** In one write: `printed` stays, `rows` are drawn over those before. */
  draw(printed: readonly string[], rows: readonly string[]): void {
    if (printed.length === 0 && !this.isChanged && sameRows(rows, this.drawn)) return
    const lines = [...printed, ...rows].join('\x1b[K\n')
    // Without rows the cursor is behind what was printed.
    const end = rows.length === 0 && printed.length > 0 ? '\x1b[K\n\x1b[J' : '\x1b[K\x1b[J'
    const back = rows.length > 1 && !this.isAtEnd ? `\x1b[${rows.length - 1}A` : ''
    const cursor = rows.length === 0 ? SHOW_CURSOR : ''
    this.output.write(`${BEGIN}${this.home()}${lines}${end}${back}\r${END}${cursor}`)
    this.keep(rows)
  }

  /** As it is, however long its lines are. */
  print(text: string): void {
    this.output.write(`${this.home()}\x1b[J${SHOW_CURSOR}${text}`)
    this.keep([])
  }

  /** Takes the rows away, and gives the terminal to others. */
  clear(): void {
    if (this.drawn.length > 0) this.print('')
  }

  close(): void {
    this.clear()
    this.output.off('resize', this.onResize)
  }

  /** The start of what is drawn. */
  private home(): string {
    const above = this.isAtEnd ? this.rowsAbove() : 0
    return above > 0 ? `\r\x1b[${above}A` : '\r'
  }

  /** Those above the last, also when they were broken. */
  private rowsAbove(): number {
    const wide = this.output.columns || 80
    return this.drawn
      .slice(0, -1)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(columns(withoutColors(row)).width / wide)), 0)
  }

  private keep(rows: readonly string[]): void {
    this.drawn = rows
    this.isChanged = false
  }

  private readonly onResize = () => {
    this.isChanged = true
  }
}

const sameRows = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((row, i) => row === other[i])

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how colours are written
const withoutColors = (row: string) => row.replace(/\x1b\[\d+m/g, '')
