import { readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { createPermissions } from '../tool/permission/create-permissions.ts'
import type { RuleScope } from '../tool/permission/permission.ts'
import type { ChatFront } from './chat/chat-front.ts'
import { JsonFront } from './chat/json-front.ts'
import { parseScope } from './chat/parse-scope.ts'
import { PipeFront } from './chat/pipe-front.ts'
import { loadTalk } from './chat/save-talk.ts'
import { completeCommand } from './chat/slash-commands.ts'
import { talk } from './chat/talk.ts'
import { TerminalFront } from './chat/terminal-front.ts'
import { type ChosenModel, chooseModel } from './choose-model.ts'
import { folderOf } from './folder-of.ts'
import { addLimitOptions, type LimitOptions, limitsOf } from './limit-options.ts'
import { loadConfig } from './load-config.ts'
import { openTools } from './open-tools.ts'
import { wantsColor } from './print-issues.ts'
import { auditFile, permissionsFile, stateFolder } from './state-folder.ts'
import { fileError } from './usage-error.ts'

interface ChatOptions extends LimitOptions {
  readonly model?: string
  readonly root?: string
  readonly tools: readonly string[]
  readonly system?: string
  readonly native?: true
  readonly allow: readonly RuleScope[]
  readonly deny: readonly RuleScope[]
  readonly continue?: string
  readonly json?: true
}

const help = `
A model may read the files of one folder (--root, the current one unless given), and asks before it changes any: you
see the change, and say yes, no, always or never. Every call is written down: legible audit.

In the conversation, /help lists commands: /tools, /model, /retry, /explain, /permissions, /save, /quit and more.
Ctrl-C stops a reply, a second one leaves; Ctrl-D leaves. Ctrl-T shows and hides what the model thinks.

Models are named as for legible ask: ollama:qwen3, http://127.0.0.1:8080/v1#qwen3, openai:…, anthropic:…; LEGIBLE_MODEL, or
model in legible.toml. Without any of them a rehearsal model answers, offline, and says that it is one.

Tools, with commas or several times --tools:
  fs                                  files of the folder: fs.read, fs.list, fs.search, fs.write, fs.edit
  mcp:https://example.com/mcp         those of an MCP server; needs the package @modelcontextprotocol/sdk
  mcp:npx -y some-server --flag       the same, started for this conversation
  tools.ts                            a module, as for legible ask
  none                                no tools at all

Permissions: what no rule grants is asked about, and a rule that denies counts most. Reading in the folder is granted.
  --allow fs.write:notes              no questions about what is below notes, in this conversation
  --deny fs.read:private              not even read, whatever is said
"always" and "never" are kept for the folder: /permissions lists them, /revoke takes one back.

Without a terminal each line is a message; nobody is asked, so what is not granted does not run. With --json a line
is text, or {"type": "user", "text": …}, or {"type": "verdict", "id": …, "verdict": "allow"} for a call that waits.

Examples:
  legible chat                                        try it on the rehearsal model
  legible chat --model ollama:qwen3 --root ~/notes
  echo "What is in README.md?" | legible chat --model ollama:qwen3
  legible chat --json --model ollama:qwen3 < messages.jsonl | jq -r 'select(.type == "outcome").value'

Exit codes:
    0  the conversation has ended; without a person: each turn was answered
    1  without a person: a turn was not answered
    2  it cannot be carried out: wrong usage, an unreadable file, a model that is not there
    3  without a person: the provider failed
  130  interrupted`

export function addChatCommand(program: Command): void {
  const command = program
    .command('chat')
    .summary('talk with a model that has tools, and asks before it changes anything')
    .description('A conversation with a model whose tools are safe.')
    .option('-m, --model <name>', 'which model answers')
    .option('--root <dir>', 'the folder that the tools for files work in (default: the current one)')
    .addOption(
      new Option('--tools <list>', 'fs, mcp:…, a module (.js, .ts), none')
        .argParser(collect)
        .default([], 'fs'),
    )
    .option('--system <file>', 'what the model is told beforehand: a text file')
    .option('--native', 'let the provider read the calls, if the model has calls of its own')
    .addOption(
      new Option('--allow <scope>', 'permit something without asking, in this conversation')
        .argParser(scopes)
        .default([], 'nothing'),
    )
    .addOption(
      new Option('--deny <scope>', 'forbid something in this conversation')
        .argParser(scopes)
        .default([], 'nothing'),
    )
    .option('--continue <file>', 'go on with a conversation that /save has written as .json')
    .option('--json', 'one event a line, for programs')
  addLimitOptions(command)
    .showHelpAfterError('See legible chat --help.')
    .addHelpText('after', help)
    .action(runChat)
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value]

function scopes(value: string, before: readonly RuleScope[]): RuleScope[] {
  try {
    const scope = parseScope(value)
    createPermissions().grant(scope)
    return [...before, scope]
  } catch (error) {
    throw new InvalidArgumentError(error instanceof LegibleError ? error.message : String(error))
  }
}

async function runChat(options: ChatOptions): Promise<void> {
  const root = folderOf(options.root)
  const system = options.system === undefined ? undefined : textOf(options.system)
  const messages = options.continue === undefined ? [] : loadTalk(options.continue)
  const isNamed = options.model !== undefined || Boolean(process.env.LEGIBLE_MODEL?.trim())
  const chosen: ChosenModel = chooseModel(
    options.model,
    process.env,
    isNamed ? {} : loadConfig({ cwd: process.cwd() }),
  )
  const { tools, close } = await openTools(options.tools.length > 0 ? options.tools : ['fs'], root)
  let front: ChatFront | undefined
  try {
    // Whoever names no folder may not have thought of what lies in this one.
    const isWide = options.root === undefined && isWithin(realHome(), root)
    process.exitCode = await talk({
      openFront: () => {
        front = frontOf(options)
        return front
      },
      chosen,
      root,
      tools,
      system,
      native: options.native ?? false,
      limits: limitsOf(options),
      allow: isWide ? options.allow : [{ capability: 'fs.read' }, ...options.allow],
      deny: options.deny,
      messages,
      permissionsFile: permissionsFile(root),
      auditFile: auditFile(root),
      color: wantsColor(process.stdout.isTTY && !options.json, process.env),
    })
  } finally {
    front?.close()
    await close()
  }
  // A tool that hangs must not keep the command from ending.
  await Promise.all([process.stdout, process.stderr].map(flushed))
  process.exit()
}

/** Also if the way there is a link. */
function realHome(): string {
  try {
    return realpathSync(homedir())
  } catch {
    return homedir()
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve())
  })

function frontOf({ json }: ChatOptions): ChatFront {
  if (json) return new JsonFront()
  if (!process.stdin.isTTY || !process.stdout.isTTY) return new PipeFront()
  return new TerminalFront({
    historyFile: join(stateFolder(), 'chat-history.jsonl'),
    complete: completeCommand,
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw fileError(file, error)
  }
}
