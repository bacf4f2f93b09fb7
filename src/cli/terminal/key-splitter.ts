/** Characters that were typed, a key with the bytes that stand for it, or what was pasted at once. */
export type InputEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly name: string | undefined; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string; readonly isCut: boolean }

const ESCAPE = '\x1b'
const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'
/** More than fits into the window of any model. */
const LONGEST_PASTE = 4_000_000
/** Longer than any sequence that a terminal sends. */
const LONGEST_SEQUENCE = 40

const names: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\b', 'backspace'],
  ['\x7f', 'backspace'],
  ['\x1b', 'escape'],
  ['\x1b\r', 'alt-enter'],
  ['\x1b\n', 'alt-enter'],
  ['\x1b[3~', 'delete'],
])

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but these are characters
const characters = /^[^\0-\x1f\x7f-\x9f]+/

/** What a terminal sends, split into keys and pastes, however it was cut on its way. */
export class KeySplitter {
  /** The beginning of a sequence whose rest is still to come. */
  private held = ''
  private pasted: string | undefined
  private isCut = false
  private last = ''

  /** True if only time can tell whether this is the escape key or the beginning of a sequence. */
  get isUndecided(): boolean {
    return this.pasted === undefined && ['\x1b', '\x1b[', '\x1bO'].includes(this.held)
  }

  push(text: string): InputEvent[] {
    // The end of a paste that never came must not lock the keyboard up.
    if (this.pasted !== undefined && text === '\x03') return [...this.endPaste(), key(text)]
    const events: InputEvent[] = []
    let rest = this.held + text
    this.held = ''
    while (rest !== '') {
      const taken = this.pasted === undefined ? this.takeKey(rest, events) : this.takePasted(rest, events)
      if (taken === 0) {
        this.held = rest
        break
      }
      rest = rest.slice(taken)
    }
    return events
  }

  /** Nothing more came: what is held is a key of its own. */
  flush(): InputEvent[] {
    const { held } = this
    this.held = ''
    return held === '' ? [] : [key(held)]
  }

  /** How much of the text is one key; 0 if its end is not there yet. */
  private takeKey(text: string, events: InputEvent[]): number {
    if (text.startsWith(PASTE_START)) {
      this.pasted = ''
      this.isCut = false
      return PASTE_START.length
    }
    const typed = characters.exec(text)?.[0]
    if (typed !== undefined) {
      events.push({ kind: 'text', text: typed })
      this.last = typed
      return typed.length
    }
    const length = keyLength(text)
    if (length === 0) return 0
    const taken = text.slice(0, length)
    // The second half of a line break is no key.
    if (!(taken === '\n' && this.last === '\r')) events.push(key(taken))
    this.last = taken
    return length
  }

  private takePasted(text: string, events: InputEvent[]): number {
    const end = text.indexOf(PASTE_END)
    if (end >= 0) {
      this.keep(text.slice(0, end))
      events.push(...this.endPaste())
      return end + PASTE_END.length
    }
    const ready = text.length - overlap(text, PASTE_END)
    this.keep(text.slice(0, ready))
    return ready
  }

  private keep(text: string): void {
    const room = LONGEST_PASTE - this.pasted!.length
    if (text.length > room) this.isCut = true
    this.pasted += text.slice(0, room)
  }

  private endPaste(): InputEvent[] {
    const text = this.pasted!
    this.pasted = undefined
    this.held = ''
    return [{ kind: 'paste', text, isCut: this.isCut }]
  }
}

function key(text: string): InputEvent {
  const code = text.charCodeAt(0)
  const control =
    text.length === 1 && code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(96 + code)}` : undefined
  return { kind: 'key', name: names.get(text) ?? control, text }
}

// ESC [ 1 ; 5 C    ESC O P    ESC [ [ A    ESC b
// ^^^^^^^^^^^^^
function keyLength(text: string): number {
  if (text[0] !== ESCAPE) return text.codePointAt(0)! > 0xffff ? 2 : 1
  const second = text[1]
  if (second === undefined) return 0
  // Two in a row: the first is a key of its own.
  if (second === ESCAPE) return 1
  if (second === 'O') return lengthIf(text, /\d/.test(text[2] ?? '') ? 4 : 3)
  if (second !== '[') return 1 + keyLength(text.slice(1, 3))
  if (text[2] === '[') return lengthIf(text, 4)
  for (let i = 2; i < LONGEST_SEQUENCE; i++) {
    const unit = text[i]
    if (unit === undefined) return 0
    if (unit >= '@' && unit <= '~') return i + 1
    // This is no sequence; what does not belong to it is a key.
    if (unit < ' ' || unit > '~') return i
  }
  return LONGEST_SEQUENCE
}

const lengthIf = (text: string, length: number) => (text.length < length ? 0 : length)

/** How much of the end of a text is the beginning of a mark. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
