// A program on a terminal of its own: a pseudo-terminal of the system, and an emulator that reads what is written to it.
import { spawn } from '@lydell/node-pty'
// A package in CommonJS whose names Node does not see.
import xterm from '@xterm/headless'

export interface PtyOptions {
  readonly cols?: number
  readonly rows?: number
  /** Added to the environment of the tests; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export interface Pty {
  /** What the program wrote so far, byte for byte. */
  readonly raw: string
  readonly exit: Promise<{ code: number; signal: number | undefined }>
  /** Bytes are for what is cut in the middle of a character. */
  write(text: string | Buffer): void
  /** As a terminal pastes: with marks around it if the program asked for them, and carriage returns for line breaks. */
  paste(text: string): void
  key(name: keyof typeof keys): void
  /** Both the program and the emulator get the new size. */
  resize(cols: number, rows: number): void
  /** Every line as it is seen, with what was scrolled away; blank lines at the end are left out. */
  screen(): string[]
  /** Rejects with the screen in its message. */
  waitFor(what: string | RegExp | ((screen: string[]) => boolean), timeoutMs?: number): Promise<void>
  /** Ends what was started. */
  close(): void
}

const keys = {
  enter: '\r',
  'alt-enter': '\x1b\r',
  tab: '\t',
  escape: '\x1b',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  'ctrl-a': '\x01',
  'ctrl-c': '\x03',
  'ctrl-d': '\x04',
  'ctrl-e': '\x05',
  'ctrl-k': '\x0b',
  'ctrl-l': '\x0c',
  'ctrl-t': '\x14',
  'ctrl-u': '\x15',
  'ctrl-w': '\x17',
  'ctrl-z': '\x1a',
} as const

/** A variable that is undefined would be the word. */
const defined = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined))

export function openPty(command: string, args: readonly string[], options: PtyOptions = {}): Pty {
  const { cols = 80, rows = 24, env, cwd = process.cwd() } = options
  const { NO_COLOR, FORCE_COLOR, CI, ...inherited } = process.env
  const emulator = new xterm.Terminal({
    cols,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
  })
  const pty = spawn(command, [...args], {
    name: 'xterm-256color',
    cols,
    rows,
    cwd,
    env: defined({ ...inherited, TERM: 'xterm-256color', COLORTERM: undefined, ...env }),
  })
  let raw = ''
  let hasExited = false
  /** Who looks at the screen again when it has changed. */
  const watchers = new Set<() => void>()
  const changed = () => {
    for (const look of [...watchers]) look()
  }
  pty.onData((data) => {
    raw += data
    emulator.write(data, changed)
  })
  // What the program asks the terminal, the terminal answers.
  emulator.onData((answer) => pty.write(answer))
  const exit = new Promise<{ code: number; signal: number | undefined }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      hasExited = true
      // An empty write is called back after all that came before it.
      emulator.write('', () => {
        changed()
        resolve({ code: exitCode, signal: signal || undefined })
      })
    })
  })

  function screen(): string[] {
    const { active } = emulator.buffer
    const lines = Array.from(
      { length: active.length },
      (_, y) => active.getLine(y)?.translateToString(true) ?? '',
    )
    while (lines.at(-1) === '') lines.pop()
    return lines
  }

  return {
    get raw() {
      return raw
    },
    exit,
    // Its types know of strings only.
    write: (text) => pty.write(text as string),
    paste(text) {
      const sent = text.replace(/\r?\n/g, '\r')
      pty.write(emulator.modes.bracketedPasteMode ? `\x1b[200~${sent}\x1b[201~` : sent)
    },
    key: (name) => pty.write(keys[name]),
    resize(newCols, newRows) {
      emulator.resize(newCols, newRows)
      pty.resize(newCols, newRows)
    },
    screen,
    waitFor(what, timeoutMs = 4000) {
      const fits = (): boolean => {
        if (typeof what === 'function') return what(screen())
        const text = screen().join('\n')
        return typeof what === 'string' ? text.includes(what) : what.test(text)
      }
      return new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer)
          watchers.delete(look)
        }
        const give = (why: string) => {
          stop()
          const shown = screen()
            .slice(-40)
            .map((line) => `  │${line}`)
          reject(new Error(`${why} ${what}\nThe screen:\n${shown.join('\n')}`))
        }
        const look = () => {
          if (fits()) {
            stop()
            resolve()
          } else if (hasExited) give('The program ended without')
        }
        const timer = setTimeout(() => give(`Not seen in ${timeoutMs} ms:`), timeoutMs)
        watchers.add(look)
        look()
      })
    },
    close() {
      if (!hasExited) pty.kill('SIGKILL')
      emulator.dispose()
    },
  }
}
