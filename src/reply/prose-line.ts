/**
 * What the line of prose at hand says about what stands on it: inline code, quotes, brackets. All of it is small
 * numbers, so that a line of any length costs nothing to look back on.
 */
export class ProseLine {
  /** Where the line begins. */
  start = 0
  /** The first character that is no space; 0 while there is none. */
  first = 0
  /** The last character that is no space; 0 while there is none. */
  last = 0
  /** The length of the run of backticks that has opened inline code. */
  code = 0
  /** The length of the run of tildes with which the line begins. */
  tildes = 0
  /** Where the run stands that opens a fence, if the line opens one; and whether it is the first thing in the reply. */
  fenceStart = 0
  fenceFirst = false
  /** Straight double quotes are open. */
  quoted = false
  /** Curly or angle quotes are open. */
  curly = false
  /** Brackets that were opened and not closed. */
  brackets = 0
  /** The line before has nothing on it. */
  afterBlank = false
  /** The last character has opened quotes or code. */
  opening = false

  get blank(): boolean {
    return this.first === 0
  }

  seen(c: number): void {
    if (this.first === 0) this.first = c
    this.last = c
    this.opening = false
    switch (c) {
      case 34: // "
        this.quoted = !this.quoted
        this.opening = this.quoted
        break
      case 0x201c: // “ „ «
      case 0x201e:
      case 0xab:
        this.curly = true
        this.opening = true
        break
      case 0x201d: // ” »
      case 0xbb:
        this.curly = false
        break
      case 40: // ( [ {
      case 91:
      case 123:
        this.brackets++
        break
    }
  }

  /** A value stands here. */
  put(): void {
    if (this.first === 0) this.first = 123
    this.last = 125
    this.opening = false
    // ```{"a": 1}⏎
    //    ^ is more than the language of a fence
    this.fenceFirst = false
  }

  // Use `code` here    ~~~python
  //     ^              ^^^
  /** A run of backticks or tildes. `first`: it is the first thing in the reply. */
  seenRun(mark: number, start: number, size: number, first: boolean): void {
    const opens = size >= 3 && (mark === 126 || this.code === 0)
    if (opens) this.fenceStart = start
    if (mark === 96) this.seenBackticks(size)
    else {
      this.seen(mark)
      if (opens) this.tildes = size
    }
    // ```code``` on one line is no fence.
    this.fenceFirst = (opens && first) || (this.fenceFirst && this.code > 0)
  }

  private seenBackticks(size: number): void {
    if (this.first === 0) this.first = 96
    this.last = 96
    this.opening = this.code === 0
    if (this.code === 0) this.code = size
    else if (this.code === size) this.code = 0
  }

  /** The next line: what a line opens at its very end holds on the next one too. */
  next(start: number): void {
    const { opening, code, quoted, curly } = this
    this.start = start
    this.afterBlank = this.first === 0
    this.first = 0
    this.last = 0
    this.code = opening ? code : 0
    this.tildes = 0
    this.fenceFirst = false
    this.quoted = opening && quoted
    this.curly = opening && curly
    this.brackets = 0
    this.opening = opening
  }
}
