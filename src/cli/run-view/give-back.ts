/** Signals that end a program that does nothing about them. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

export interface TerminalGuest {
  /** For the last time: the program ends. */
  leave(): void
  /** Others may write now; perhaps for good. */
  yield(): void
  /** The terminal is ours again. */
  comeBack(): void
}

/** Has a terminal given back however the program ends, or is stopped for a while. Gives the way to stop that. */
export function giveBack({ leave, yield: yieldTo, comeBack }: TerminalGuest): () => void {
  let isReleased = false
  const onEnding = (signal: NodeJS.Signals) => {
    process.off(signal, onEnding)
    if (process.listenerCount(signal) === 0) {
      leave()
      process.kill(process.pid, signal)
      return
    }
    // Somebody else decides; whoever ends the program then does not tell us.
    yieldTo()
    setImmediate(() => {
      if (isReleased) return
      process.on(signal, onEnding)
      comeBack()
    })
  }
  const onStop = () => {
    yieldTo()
    process.kill(process.pid, 'SIGSTOP')
  }
  for (const signal of ending) process.on(signal, onEnding)
  process.on('exit', leave)
  if (process.platform !== 'win32') process.on('SIGTSTP', onStop).on('SIGCONT', comeBack)
  return () => {
    isReleased = true
    for (const signal of ending) process.off(signal, onEnding)
    process.off('exit', leave).off('SIGTSTP', onStop).off('SIGCONT', comeBack)
  }
}
