// A program that does with the terminal what a chat does: reads lines, asks for permission, streams text and reasoning.
import { setTimeout as sleep } from 'node:timers/promises'
import { openHistory } from '../../src/cli/terminal/line-history.ts'
import { MarkdownStream } from '../../src/cli/terminal/markdown-stream.ts'
import { openTerminal } from '../../src/cli/terminal/open-terminal.ts'
import { ReasoningFold } from '../../src/cli/terminal/reasoning-fold.ts'

const { stdout } = process
const [historyFile] = process.argv.slice(2)
const history = historyFile === undefined ? undefined : openHistory(historyFile)
const terminal = openTerminal()
const fold = new ReasoningFold({ output: stdout, color: true, folded: true })
const complete = (line: string) => ['/help', '/history', '/quit'].filter((word) => word.startsWith(line))

let isStopped = false
terminal.onKey('ctrl-c', () => {
  isStopped = true
})
terminal.onKey('ctrl-t', () => fold.toggle())

const say = (what: unknown) => stdout.write(`${JSON.stringify(what)}\n`)

async function stream(text: string, push: (part: string) => void): Promise<void> {
  isStopped = false
  for (const part of text.match(/.{1,5}/gs) ?? []) {
    if (isStopped) return
    push(part)
    await sleep(2)
  }
}

for (let going = true; going; ) {
  const read = await terminal.readLine('> ', { complete, ...(history && { history }) })
  say(read)
  if (read.kind === 'end' || (read.kind === 'line' && read.text === '/quit')) going = false
  if (read.kind !== 'line') continue
  const [command, ...words] = read.text.split(' ')
  const rest = words.join(' ')
  if (command === 'ask') {
    await sleep(Number(rest || 0))
    say(await terminal.readAnswer('May it run?', { yes: 1, no: 1, always: 3, never: 3 }))
  }
  if (command === 'die') {
    process.kill(process.pid, rest)
    await sleep(1000)
  }
  if (command === 'fail') throw new Error('as asked')
  if (command === 'wait') {
    stdout.write('waiting\n')
    await sleep(Number(rest))
  }
  if (command === 'md' || command === 'flood') {
    const markdown = new MarkdownStream({ color: true })
    await stream(command === 'md' ? JSON.parse(rest) : 'word '.repeat(5000), (part) =>
      stdout.write(markdown.push(part)),
    )
    stdout.write(`${markdown.end()}\n`)
  }
  if (command === 'think') {
    await stream('one two three four five\n'.repeat(Number(rest)), (part) => fold.push(part))
    fold.end()
  }
  if (isStopped) say('stopped')
  isStopped = false
}
terminal.close()
