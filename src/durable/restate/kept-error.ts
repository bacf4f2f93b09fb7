import { type Json, Suspension } from '../../agent/durable.ts'
import { Stop } from '../../agent/stop.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import { isRecord } from '../../core/is-record.ts'

/**
 * How a step failed, as data: a run that goes on in another process must end there as it would have ended here. An engine
 * would try a step that throws again and again; what our loops throw is an end that they have decided on.
 */
export function errorToJson(error: unknown): Json {
  if (error instanceof Suspension) return { kind: 'suspension', waitsFor: error.waitsFor }
  if (error instanceof Halt) return { kind: 'halt', why: plain(error.why) }
  if (error instanceof Stop) {
    const { why } = error
    return { kind: 'stop', why: plain(why.kind === 'failed' ? { ...why, error: why.error.message } : why) }
  }
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  return { kind: 'error', name, message }
}

export function errorFromJson(kept: Json): Error {
  const { kind, why, waitsFor, name, message } = (isRecord(kept) ? kept : {}) as Record<string, unknown>
  switch (kind) {
    case 'suspension':
      return new Suspension(String(waitsFor))
    case 'halt':
      return new Halt(why as Halt['why'])
    case 'stop': {
      const { error, ...rest } = why as { error?: string }
      const told = error === undefined ? rest : { ...rest, error: new Error(error) }
      return new Stop(told as unknown as Stop['why'])
    }
    default:
      return Object.assign(new Error(String(message)), { name: String(name) })
  }
}

const plain = (value: object): Json => JSON.parse(JSON.stringify(value))
