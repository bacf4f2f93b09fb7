import { closestName } from '../../core/closest-name.ts'
import { columns } from '../../core/columns.ts'
import type { Tool } from '../../tool/tool.ts'
import type { FolderPermissions } from '../permission/folder-permissions.ts'
import { knownScope, needsOfAny } from '../permission/known-scope.ts'
import { formatScope } from '../permission/parse-scope.ts'
import type { ChatFront } from './chat-front.ts'
import type { ChatSession } from './chat-session.ts'
import { explainReply } from './explain-reply.ts'
import { saveTalk } from './save-talk.ts'

/** What commands work on. */
export interface Scene {
  readonly session: ChatSession
  readonly front: ChatFront
  readonly tools: readonly Tool[]
  readonly permissions: FolderPermissions
  readonly native: boolean
  readonly color: boolean
  readonly model: string
  /** Throws what is wrong with the name. */
  useModel(name: string): Promise<void>
  /** Plays a turn, with whatever belongs to it. */
  play(turn: () => Promise<unknown>): Promise<void>
}

interface SlashCommand {
  /** What it takes, as in `/save FILE`. */
  readonly takes?: string
  readonly about: string
  run(scene: Scene, rest: string): void | Promise<void>
}

/** `leave`: the conversation is over. */
export type CommandResult = 'leave' | 'done'

const commands = {
  help: {
    about: 'what can be done',
    run: ({ front }) => front.notice(helpText()),
  },
  tools: {
    about: 'the tools, and what they may do',
    run({ front, tools, permissions }) {
      if (tools.length === 0) front.notice('There are no tools; --tools fs gives those for files.')
      for (const tool of tools) {
        const { name, description } = tool
        const { kind } = permissions.check(needsOfAny(tool))
        const says = { granted: 'permitted', denied: 'denied', unset: 'asks' }[kind]
        front.notice(columns(`${name.padEnd(12)} ${says.padEnd(10)} ${description}`).text)
      }
    },
  },
  model: {
    takes: '[NAME]',
    about: 'which model answers; with a name: another from now on',
    async run(scene, name) {
      if (name !== '') await scene.useModel(name)
      scene.front.notice(columns(scene.model).text)
    },
  },
  retry: {
    about: 'the last message again; after a failure from where it broke off',
    async run({ session, front, play }) {
      if (session.last) await play(() => session.retry())
      else front.notice('Nothing was said yet.')
    },
  },
  explain: {
    takes: '[N]',
    about: 'why the last reply was read as it was; with a number: one of the replies before it',
    run({ session, front, tools, native, color }, number) {
      const replies = session.last?.replies ?? []
      const n = number === '' ? replies.length : Number(number)
      const reply = replies[n - 1]
      if (replies.length > 1)
        front.notice(`Reply ${n} of ${replies.length} to the last message; /explain 1 shows the first.`)
      if (reply) front.notice(explainReply(reply, tools, native, color))
      else front.notice(replies.length === 0 ? 'There is no reply yet.' : 'There is no such reply.')
    },
  },
  think: {
    about: 'what the model thought before its last reply',
    run({ session, front }) {
      const { reasoning = '' } = session.last ?? {}
      const lines = reasoning.split('\n').map((line) => `│ ${columns(line).text}`)
      front.notice(reasoning === '' ? 'No thoughts were told.' : lines.join('\n'))
    },
  },
  permissions: {
    about: 'the rules that hold',
    run({ front, permissions }) {
      const { rules } = permissions
      if (rules.length === 0) front.notice('There are no rules: every call is asked about.')
      for (const { id, effect, expires, kept, ...scope } of rules) {
        const until = [kept ? 'kept' : 'this session', expires && `until ${expires}`]
          .filter(Boolean)
          .join(', ')
        front.notice(columns(`${id.padEnd(4)} ${effect.padEnd(5)} ${formatScope(scope)} (${until})`).text)
      }
    },
  },
  allow: {
    takes: 'SCOPE',
    about: 'permit something from now on: fs.write, fs.write:src, net@example.com',
    async run({ front, permissions, tools }, scope) {
      const { id } = await permissions.grant(knownScope(scope, tools))
      front.notice(`Permitted in this folder, from now on; /revoke ${id} takes it back.`)
    },
  },
  deny: {
    takes: 'SCOPE',
    about: 'forbid something from now on, whatever else permits it',
    async run({ front, permissions, tools }, scope) {
      const { id } = await permissions.deny(knownScope(scope, tools))
      front.notice(`Forbidden in this folder, from now on; /revoke ${id} takes it back.`)
    },
  },
  revoke: {
    takes: 'ID',
    about: 'take a rule back',
    async run({ front, permissions }, id) {
      if (id === '') throw new Error('say which: /revoke r1; /permissions lists the rules')
      const rule = await permissions.revoke(id)
      front.notice(
        rule
          ? `The rule ${id} is no more.`
          : `There is no rule ${columns(id).text}; /permissions lists them.`,
      )
    },
  },
  save: {
    takes: 'FILE',
    about: 'keep the conversation: .json to go on with (--continue), anything else to read',
    run({ session, front }, file) {
      if (file === '') throw new Error('say where: /save talk.md')
      front.notice(columns(`Saved as ${saveTalk(file, session.messages)}.`).text)
    },
  },
  clear: {
    about: 'forget the conversation',
    run({ session, front }) {
      session.messages = []
      session.last = undefined
      front.notice('Forgotten.')
    },
  },
  quit: { about: 'leave', run() {} },
} satisfies Record<string, SlashCommand>

const table: ReadonlyMap<string, SlashCommand> = new Map(Object.entries(commands))

/** Whether a line is meant as a command. `/etc/hosts` is none. */
export const isCommand = (line: string): boolean => /^\/[a-z]*(\s|$)/.test(line)

/** Carries out `/name rest`. What goes wrong is told, and the conversation goes on. */
export async function runCommand(line: string, scene: Scene): Promise<CommandResult> {
  const [, name = '', rest = ''] = /^\/([a-z]*)\s*(.*?)\s*$/s.exec(line) ?? []
  if (name === 'quit' || name === 'exit') return 'leave'
  const command = table.get(name)
  if (!command) {
    const meant = closestName(name, table.keys())
    const advice = meant ? `did you mean /${meant}?` : '/help lists them.'
    scene.front.notice(
      `There is no command /${name}; ${advice} A space before it sends it as a message.`,
      'problem',
    )
    return 'done'
  }
  try {
    await command.run(scene, rest)
  } catch (error) {
    scene.front.notice(error instanceof Error ? error.message : String(error), 'problem')
  }
  return 'done'
}

/** What a line that begins with a slash could become. */
export function completeCommand(line: string): string[] {
  if (!/^\/[a-z]*$/.test(line)) return []
  return [...table.keys()].map((name) => `/${name}`).filter((name) => name.startsWith(line))
}

function helpText(): string {
  const rows = [...table].map(([name, { takes, about }]) => [`/${name}${takes ? ` ${takes}` : ''}`, about])
  const width = Math.max(...rows.map(([name]) => name!.length))
  return [
    ...rows.map(([name, about]) => `${name!.padEnd(width)}  ${about}`),
    '',
    'Ctrl-C stops a reply; a second one leaves. Ctrl-D leaves. Ctrl-T shows and hides what the model thinks.',
    'A line that ends with \\ goes on; what is pasted is one message. ↑ brings back what you said.',
  ].join('\n')
}
