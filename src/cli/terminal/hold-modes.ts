/** Keys as they are pressed, and pastes with marks around them. */
export interface TerminalModes {
  /** Gives the terminal back to the shell until the person comes back. */
  suspend(): void
  release(): void
}

export interface ModeOptions {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** What a terminal in its usual mode does at Ctrl-C and Ctrl-Z. */
  readonly raise: (signal: NodeJS.Signals) => void
  /** The terminal is ours again after others wrote on it. */
  readonly onReturn: () => void
}

const endings = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** A process that is not stopped, because nobody is there to continue it, goes on. */
const NOT_STOPPED = 100

/** Switches the modes on, and off again however the process ends. */
export function holdModes({ input, output, raise, onReturn }: ModeOptions): TerminalModes {
  let isOn = false
  const enter = () => {
    if (isOn) return
    isOn = true
    input.setRawMode?.(true)
    if (output.isTTY) output.write('\x1b[?2004h')
  }
  const leave = () => {
    if (!isOn) return
    isOn = false
    if (output.isTTY) output.write('\x1b[?2004l')
    input.setRawMode?.(false)
  }
  // The shell has changed the modes, whoever stopped us: they are set anew.
  const onContinue = () => {
    leave()
    enter()
    onReturn()
  }
  const onTerminate = (signal: NodeJS.Signals) => {
    release()
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  const release = () => {
    leave()
    process.off('exit', leave).off('SIGCONT', onContinue)
    for (const signal of endings) process.off(signal, onTerminate)
  }
  process.on('exit', leave).on('SIGCONT', onContinue)
  for (const signal of endings) process.on(signal, onTerminate)
  enter()
  return {
    suspend() {
      leave()
      raise('SIGTSTP')
      setTimeout(() => {
        if (!isOn) onContinue()
      }, NOT_STOPPED).unref()
    },
    release,
  }
}
