import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { LegibleError } from '../core/legible-error.ts'
import { codeOf } from '../tool/file/file-error.ts'

/** Milliseconds that a lock is waited for. */
const LONGEST_WAIT = 10_000
const LONGEST_PAUSE = 20
/** Milliseconds after which a lock is given up by which nobody can be found: it is held for moments only. */
const UNKNOWN_HOLDER = 2_000
const OTHER_HOST = 60_000
const BEAT = 15_000

/** Who holds a lock. A number of a process is used again; together with when the process started, it is not. */
interface Holder {
  readonly pid: number
  readonly started: string
  readonly host: string
  /** Tells this lock from any other. */
  readonly nonce: string
}

/**
 * Does something while no other process does it, by a file beside the one that it is about. The file of a process that has died
 * is removed. The steps are those of the system without a pause between them, so that a process that dies leaves little behind.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  patience = LONGEST_WAIT,
): Promise<T> {
  const lock = lockOf(file)
  const ours = await take(lock, file, patience)
  // Who cannot see this process knows by the time of the file that it lives.
  const beat = setInterval(() => touch(lock), BEAT).unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if (identityOf(lock) === ours) remove(lock)
  }
}

/** Whether somebody holds it, or died holding it. */
export const isLocked = (file: string): boolean => existsSync(lockOf(file))

/** Whether somebody holds it who lives. */
export const isHeld = (file: string): boolean => isLocked(file) && !isStale(lockOf(file))

const lockOf = (file: string) => `${file}.lock`

async function take(lock: string, file: string, patience: number): Promise<string> {
  const end = Date.now() + patience
  for (let pause = 1; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
    const nonce = randomBytes(8).toString('hex')
    const created = create(lock, JSON.stringify({ ...self(), nonce } satisfies Holder))
    // Who was held up for seconds before it had written its name may have lost the lock.
    if (created && identityOf(lock) === nonce) return nonce
    if (removeStale(lock)) continue
    if (Date.now() > end) throw locked(lock, file)
    // Those who wait must not all come back at the same time.
    await setTimeout(pause * (0.5 + Math.random()))
  }
}

/** False if the file exists already. */
function create(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(descriptor, text)
    return true
  } catch (error) {
    remove(file)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Removes a lock whose holder is dead. Who finds it first makes a file that is named after this very lock, and looks again:
 * otherwise a slow process could remove the lock that a quick one has taken in the meantime.
 */
function removeStale(lock: string): boolean {
  const stale = identityOf(lock)
  if (stale === undefined) return true
  if (!isStale(lock)) return false
  const claim = `${lock}.${stale}`
  if (!create(claim, '')) {
    // Somebody died on the way.
    if (ageOf(claim) > UNKNOWN_HOLDER) remove(claim)
    return false
  }
  try {
    if (identityOf(lock) === stale) remove(lock)
    return true
  } finally {
    remove(claim)
  }
}

function isStale(lock: string): boolean {
  const age = ageOf(lock)
  const holder = holderOf(lock)
  // Between making a file and writing to it there is a moment.
  if (!holder) return age > UNKNOWN_HOLDER
  if (holder.host !== self().host) return age > OTHER_HOST
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
  const started = startOf(holder.pid)
  return started !== '' && started !== holder.started
}

function holderOf(lock: string): Holder | undefined {
  try {
    const { pid, started, host, nonce } = JSON.parse(readFileSync(lock, 'utf8'))
    // 0 and below are groups of processes; the nonce becomes part of a name.
    if (!Number.isInteger(pid) || pid <= 0 || !/^[0-9a-f]{16}$/.test(nonce)) return undefined
    return { pid, started: String(started), host: String(host), nonce }
  } catch {
    return undefined
  }
}

let cached: Omit<Holder, 'nonce'> | undefined
function self(): Omit<Holder, 'nonce'> {
  // Containers count their processes anew, and may share the name of a machine.
  cached ??= {
    pid: process.pid,
    started: startOf(process.pid),
    host: [hostname(), linux(() => readlinkSync('/proc/self/ns/pid'))].join(' ').trim(),
  }
  return cached
}

/** When a process started, in the words of the system; nothing where it does not say. */
function startOf(pid: number): string {
  return linux(() => {
    // `12 (name of it) S 1 …`: the name may have anything in it, also brackets.
    const [state, ...words] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // It is dead, and nobody has asked how it ended.
    if (state === 'Z' || state === 'X') return 'ended'
    return words[18] ?? ''
  })
}

function linux(read: () => string): string {
  if (process.platform !== 'linux') return ''
  try {
    return read()
  } catch {
    return ''
  }
}

/** Which lock it is; undefined if there is none. */
function identityOf(lock: string): string | undefined {
  const stats = lstatSync(lock, { bigint: true, throwIfNoEntry: false })
  return stats && (holderOf(lock)?.nonce ?? `${stats.ino}-${stats.mtimeNs}`)
}

function ageOf(file: string): number {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats ? Date.now() - stats.mtimeMs : 0
}

function touch(file: string): void {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // It is gone: whoever removed it has it now.
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function locked(lock: string, file: string): LegibleError {
  const pid = holderOf(lock)?.pid
  const who = pid === undefined ? 'by something else' : `by process ${pid}`
  return new LegibleError(
    'durable.locked',
    `${file} is being written ${who}, for ${LONGEST_WAIT / 1000} seconds now. If that is not so, remove ${lock}.`,
  )
}
