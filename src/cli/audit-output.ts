import { columns } from '../core/columns.ts'
import { isRecord } from '../core/is-record.ts'
import type { AuditRecord } from '../durable/audit/audit-line.ts'
import type { Paint } from './paint.ts'

/** Characters of a line that are shown; `--json` has all. */
const LONGEST_LINE = 240
const TYPE_WIDTH = 'permission-revoke'.length

/** An entry of the audit log for people: when, what, and with what outcome; one line, whatever stands in it. */
export function formatAuditEntry(record: AuditRecord, paint: Paint): string {
  const time = safe(record.time.replace('T', ' ').replace(/\.\d+Z$/, 'Z')).slice(0, 24)
  const words = safe(wordsFor(record).filter(Boolean).join(' '))
  const color = isBad(record) ? paint.red : (text: string) => text
  return `${paint.dim(time)}  ${color(`${safe(record.type).padEnd(TYPE_WIDTH)}  ${words}`.trimEnd())}`
}

const safe = (text: string) =>
  columns(text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text).text

const isBad = ({ type, ok }: AuditRecord) =>
  type === 'call-refused' || type === 'permission-deny' || (type === 'call-end' && ok !== true)

/** The members may be anything: somebody may have edited the file. */
function wordsFor(record: AuditRecord): string[] {
  const call = isRecord(record.call) ? record.call : {}
  switch (record.type) {
    case 'session-start':
      return [word(record.command), 'on', word(record.model), 'in', word(record.root)]
    case 'session-end':
      return [word(record.reason)]
    case 'call-start':
      return [
        word(call.name),
        places(record.needs),
        json(call.arguments),
        `(permitted by ${permitted(record)})`,
      ]
    case 'call-end':
      return [word(call.name), outcome(record)]
    case 'call-refused':
      return [word(call.name), `${word(record.code)}:`, word(record.reason), json(call.arguments)]
    case 'permission-grant':
    case 'permission-deny':
    case 'permission-revoke':
      return [rule(record.rule)]
    default: {
      const { seq: _, time: __, type: ___, prev: ____, hash: _____, ...rest } = record
      return [json(rest)]
    }
  }
}

function outcome({ ok, code, milliseconds, result }: AuditRecord): string {
  const size = isRecord(result) ? `${word(result.bytes)} bytes` : ''
  return [ok === true ? 'ok' : `failed ${word(code)}`.trim(), `${word(milliseconds)} ms`, size]
    .filter(Boolean)
    .join(', ')
}

const permitted = ({ permittedBy }: AuditRecord) =>
  permittedBy === 'person' || permittedBy === 'rule' ? `a ${permittedBy}` : `the ${word(permittedBy)}`

const places = (needs: unknown) =>
  (Array.isArray(needs) ? needs : [])
    .filter(isRecord)
    .flatMap(({ path, host }) => [word(path), word(host)])
    .filter(Boolean)
    .join(', ')

/** `fs.write src until …` */
function rule(value: unknown): string {
  if (!isRecord(value)) return json(value)
  const { id, effect: _, capability, path, host, expires, ...rest } = value
  const more = Object.keys(rest).length === 0 ? '' : json(rest)
  const until = expires === undefined ? '' : `until ${word(expires)}`
  return [word(id), word(capability), word(path), word(host), until, more].filter(Boolean).join(' ')
}

const word = (value: unknown) => (value === undefined ? '' : typeof value === 'string' ? value : json(value))
const json = (value: unknown) => JSON.stringify(value) ?? ''
