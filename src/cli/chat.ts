import { type Command, InvalidArgumentError, Option } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { createPermissions } from '../tool/permission/create-permissions.ts'
import type { RuleScope } from '../tool/permission/permission.ts'
import type { ChatOptions } from './chat/run-chat.ts'
import { collect } from './input-options.ts'
import { addLimitOptions } from './limit-options.ts'
import { parseScope } from './permission/parse-scope.ts'

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
    .action(async (options: ChatOptions) => {
      const { runChat } = await import('./chat/run-chat.ts')
      await runChat(options)
    })
}

function scopes(value: string, before: readonly RuleScope[]): RuleScope[] {
  try {
    const scope = parseScope(value)
    createPermissions().grant(scope)
    return [...before, scope]
  } catch (error) {
    throw new InvalidArgumentError(error instanceof LegibleError ? error.message : String(error))
  }
}
