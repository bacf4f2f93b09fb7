import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** A process that is measured from outside. */
export interface Measured {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a process that prints `{ url }` on its first line, and gives that, too. */
export async function startListener(
  given: readonly string[],
  cwd: string,
): Promise<Measured & { readonly url: string }> {
  const child = spawn(process.execPath, given, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  // It says something of every run: nobody may let it wait. The last of it tells why it ended.
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2000)))
  const measured = watch(child)
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error(`${given.join(' ')} ended: ${said}`)
    }),
  ])
  child.stdout.resume()
  return { ...measured, url: (JSON.parse(String(line)) as { url: string }).url }
}

/** A process that does not outlive this one. */
export function watch(child: ChildProcess): Measured {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    pid: child.pid!,
    async stop() {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      kill()
      await once(child, 'exit')
    },
  }
}

/** The most memory that a process has had, in MB. */
export function peakMemory({ pid }: Measured): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1000
}

/** CPU milliseconds of a process so far, in its own code and in the system's. */
export function cpuOf({ pid }: Measured): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the command stands in brackets, and may have spaces in it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK
}

/** Of Linux, on all machines that Node runs on. */
const MS_A_TICK = 10
