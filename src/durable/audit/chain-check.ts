import { type AuditRecord, CHAIN_START, type ChainPlace, readAuditLine } from './audit-line.ts'
import type { LogLine } from './audit-lines.ts'
import type { AuditProblem, AuditProblemKind } from './audit-report.ts'

/** More problems than this are counted, and not listed. */
const MOST_PROBLEMS = 100
/** Gaps that may still be filled by a line that stands further down. */
const MOST_GAPS = 1000

/** Entries that did not come where they should have. */
interface Gap {
  from: number
  to: number
  readonly line: number
}

/** Looks at the lines of a log, one after the other, in constant memory. */
export class ChainCheck {
  entries = 0
  count = 0
  /** The line with the highest number so far. */
  last: ChainPlace = CHAIN_START
  /** Whether the hash of `last` can be relied on: not after a line that was changed. */
  private linked = true
  private lastLine: number | undefined
  /** Lines since then that say nothing: they may be what is missing. */
  private unread = 0
  private gaps: Gap[] = []
  private readonly listed: AuditProblem[] = []
  private readonly head: ChainPlace | undefined
  private readonly kept: string | undefined
  private headSeen: boolean
  private keptSeen: boolean

  /** `head`: where the log should end. `kept`: a hash that some line must have. */
  constructor(head: ChainPlace | undefined, kept: string | undefined) {
    this.head = head
    this.kept = kept
    this.headSeen = head === undefined || head.seq === 0
    this.keptSeen = kept === undefined || kept === CHAIN_START.hash
  }

  look({ number, bytes, torn }: LogLine): void {
    const read = torn ? undefined : bytes && readAuditLine(bytes)
    if (read) this.entries++
    if (torn) this.problem('torn', number, 'the last line has no end; what is written next mends it')
    else if (!read) this.strange(number)
    else if (!read.intact) this.edited(read.record, number)
    else this.intact(read.record, number)
  }

  /** Everything that is wrong, when the last line was seen. */
  end(): readonly AuditProblem[] {
    for (const gap of this.gaps) this.tellGap(gap)
    this.gaps = []
    const { head, last, lastLine } = this
    if (head && head.seq > last.seq)
      this.problem('cut_off', lastLine, `${entriesWord(last.seq + 1, head.seq)} missing at the end`)
    else if (head && !this.headSeen)
      this.problem('edited', lastLine, `entry ${head.seq} does not have the hash that the head has`)
    if (!this.keptSeen)
      this.problem(
        'cut_off',
        lastLine,
        `no entry has the hash ${this.kept}: what was there is gone or changed`,
      )
    return this.listed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  }

  /** What is wrong with the log as a whole. */
  tell(kind: AuditProblemKind, message: string): void {
    this.problem(kind, undefined, message)
  }

  private intact(record: AuditRecord, line: number): void {
    const { seq, hash, type, found } = record
    if (hash === this.kept) this.keptSeen = true
    if (seq === this.head?.seq && hash === this.head.hash) this.headSeen = true
    if (seq <= this.last.seq) this.early(record, line)
    else this.place(record, line)
    if (type === 'log-mended' && found === 'head_missing')
      this.problem('head_missing', line, 'the head was gone when this line was written')
  }

  private place({ seq, hash, prev }: AuditRecord, line: number): void {
    const next = this.last.seq + 1
    if (seq > next + this.unread) this.addGap({ from: next, to: seq - 1, line })
    else if (seq === next && this.linked && prev !== this.last.hash)
      this.problem('edited', this.lastLine ?? line, `entry ${seq} does not follow from what stands before it`)
    this.goOn({ seq, hash }, line)
    this.linked = true
  }

  /** Its number may be wrong as well: it only counts if it is the one that should come. */
  private edited({ seq, hash }: AuditRecord, line: number): void {
    this.problem('edited', line, `entry ${seq} is not as it was written`)
    if (seq === this.last.seq + 1) {
      if (seq === this.head?.seq) this.headSeen = true
      this.goOn({ seq, hash }, line)
    } else this.unread++
    this.linked = false
  }

  private strange(line: number): void {
    this.problem('not_json', line, 'this is no line of an audit log')
    this.unread++
    this.linked = false
  }

  private goOn(place: ChainPlace, line: number): void {
    this.last = place
    this.lastLine = line
    this.unread = 0
  }

  /** An entry that should have come before. */
  private early({ seq }: AuditRecord, line: number): void {
    const gap = this.gaps.find(({ from, to }) => from <= seq && seq <= to)
    if (!gap) {
      this.problem('repeated', line, `entry ${seq} is there already`)
      return
    }
    this.problem('reordered', line, `entry ${seq} stands behind entry ${this.last.seq}`)
    const rest = [
      { ...gap, to: seq - 1 },
      { ...gap, from: seq + 1 },
    ].filter(({ from, to }) => from <= to)
    this.gaps.splice(this.gaps.indexOf(gap), 1, ...rest)
    this.limitGaps()
  }

  private addGap(gap: Gap): void {
    this.gaps.push(gap)
    this.limitGaps()
  }

  private limitGaps(): void {
    while (this.gaps.length > MOST_GAPS) this.tellGap(this.gaps.shift() as Gap)
  }

  private tellGap({ from, to, line }: Gap): void {
    this.problem('missing', line, `${entriesWord(from, to)} missing before this line`)
  }

  private problem(kind: AuditProblemKind, line: number | undefined, message: string): void {
    this.count++
    if (this.listed.length < MOST_PROBLEMS)
      this.listed.push({ kind, ...(line !== undefined && { line }), message })
  }
}

const entriesWord = (from: number, to: number) =>
  from === to ? `entry ${from} is` : `entries ${from} to ${to} are`
