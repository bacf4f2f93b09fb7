/** Often enough to look alive. */
const PAUSE = 100

export interface Progress {
  /** `bytes` of the input are done, which were so many rows. */
  update(bytes: number, rows: number, broken: number): void
  /** Writes a line that stays. */
  say(line: string): void
  /** Takes away what does not stay. */
  clear(): void
  /** Says on a terminal how it went. */
  sum(): void
}

/** Shows on a terminal how far it is; `total` bytes, if that is known. On anything else it writes what is said only. */
export function showProgress(
  stream: NodeJS.WriteStream,
  shown: boolean,
  total: number | undefined,
): Progress {
  const start = performance.now()
  let drawn = Number.NEGATIVE_INFINITY
  let onScreen = false
  let state = { bytes: 0, rows: 0, broken: 0 }
  const clear = () => {
    if (onScreen) stream.write('\r\u001b[K')
    onScreen = false
  }
  const draw = () => {
    const seconds = (performance.now() - start) / 1000
    const line = progressLine({ ...state, total, seconds, width: stream.columns || 80 })
    stream.write(`\r\u001b[K${line}`)
    onScreen = true
    drawn = performance.now()
  }
  return {
    update(bytes, rows, broken) {
      state = { bytes, rows, broken }
      if (shown && performance.now() - drawn >= PAUSE) draw()
    },
    say(line) {
      clear()
      stream.write(`${line}\n`)
    },
    clear,
    sum() {
      if (!shown) return
      const { rows, broken } = state
      const seconds = (performance.now() - start) / 1000
      const flaws = broken > 0 ? `, ${count(broken)} broken` : ''
      stream.write(
        `${broken > 0 ? '✗' : '✓'} ${count(rows)} rows${flaws} in ${seconds.toFixed(1)} s: ${rate(rows, seconds)}\n`,
      )
    },
  }
}

interface State {
  readonly bytes: number
  readonly rows: number
  readonly broken: number
  readonly total: number | undefined
  readonly seconds: number
  readonly width: number
}

// ━━━━━━━━━━━━━━━━━━━━━─────────────────────────  46%  11,532 rows  3,120 rows/s  0:04 left  2 broken
export function progressLine({ bytes, rows, broken, total, seconds, width }: State): string {
  const facts = [`${count(rows)} rows`, rate(rows, seconds)]
  if (broken > 0) facts.push(`${count(broken)} broken`)
  if (!total) return facts.join('  ').slice(0, width - 1)
  // A file may grow while it is read.
  const share = Math.min(1, bytes / total)
  if (share > 0.02 && seconds > 1) facts.push(`${clock((seconds / share) * (1 - share))} left`)
  const text = `${String(Math.floor(share * 100)).padStart(3)}%  ${facts.join('  ')}`
  const room = Math.min(40, width - text.length - 3)
  if (room < 10) return text.slice(0, width - 1)
  const done = Math.round(share * room)
  return `${'━'.repeat(done)}${'─'.repeat(room - done)} ${text}`
}

const count = (number: number) => number.toLocaleString('en-US')
const rate = (rows: number, seconds: number) => `${count(Math.round(rows / Math.max(seconds, 0.001)))} rows/s`
const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
