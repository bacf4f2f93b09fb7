import { type Command, InvalidArgumentError } from 'commander'
import { type RehearsalDamage, rehearsalDamages } from '../model/rehearsal/rehearsal-damages.ts'
import type { RehearseOptions } from './run-rehearsal.ts'
import { wholeNumber } from './whole-number.ts'

const help = `
The rehearsal model is no language model. It follows what a prompt says about the form of a reply, calls the
tools that it is given, and answers that it is a rehearsal. The same prompt and seed give the same reply, offline
and without a key.

Any client of OpenAI or Ollama can be tried against it. What it writes is damaged as real models damage it, if
the client asks for that by the name of the model:
  rehearsal                       as it should be, or as --damage says
  rehearsal+fence                 with that damage
  rehearsal+example+reasoning     with both

Damages:
  fence         a code fence around the reply      example       a call that is only shown
  prose         chatter before and after           reasoning     <think> with a draft of a call in it
  quotes        JSON with wrong quotes             break         the connection is lost in the middle, once
  truncated     the end is missing                 unknown-tool  a tool that does not exist
  types         wrong types                        empty         no reply at all
  mixed         several of them, by the seed

Examples:
  legible rehearse --port 8080                    then OPENAI_BASE_URL=http://127.0.0.1:8080/v1 your-program
  OLLAMA_HOST=127.0.0.1:8080 ollama run rehearsal  with the program of Ollama
  legible rehearse --damage mixed --rate 0.3      three replies in ten are damaged
  legible rehearse --delay 50 --chunk 4           as slow as a model
  legible rehearse --json > address.json &        { "url": … } on its first line, for programs

  curl http://127.0.0.1:8080/v1/chat/completions -d '{
    "model": "rehearsal+fence", "messages": [{ "role": "user", "content": "Hello" }] }'

It serves POST /v1/chat/completions, POST /v1/completions and GET /v1/models of OpenAI, and POST /api/chat,
POST /api/generate, POST /api/show and GET /api/tags of Ollama. The seed of a request comes before --seed.
Standard error has a line for each request, without anything that was said in it.

Exit codes:
    0  it was stopped, by Ctrl-C or SIGTERM
    2  it cannot be served: wrong usage, or the port is taken`

export function addRehearseCommand(program: Command): void {
  program
    .command('rehearse')
    .summary('serve a model that rehearses, offline, as OpenAI and Ollama serve theirs')
    .description(
      'Serves a model that rehearses, offline, as OpenAI and Ollama serve theirs; on this machine only.',
    )
    .option('--port <n>', 'where it listens; 0: any port that is free', portNumber, 0)
    .option('--seed <n>', 'the same seed gives the same replies', seedNumber)
    .option('--damage <names>', 'how replies are damaged, with commas: fence,prose', damageNames)
    .option('--rate <share>', 'the share of replies that are damaged, 0 to 1 (default: 1)', share)
    .option('--delay <ms>', 'milliseconds before each piece of a reply (default: 0)', milliseconds)
    .option('--chunk <n>', 'characters of a piece (default: about four)', wholeNumber)
    .option('--json', 'print { url, port } on one line, and the log as JSON')
    .showHelpAfterError('See legible rehearse --help.')
    .addHelpText('after', help)
    .action(async (options: RehearseOptions) => {
      const { runRehearsal } = await import('./run-rehearsal.ts')
      await runRehearsal(options)
    })
}

function portNumber(text: string): number {
  return numberIn(text, /^\d{1,5}$/, 65_535, 'It must be a port, from 0 to 65535.')
}

function seedNumber(text: string): number {
  return numberIn(text, /^-?\d{1,15}$/, Number.MAX_SAFE_INTEGER, 'It must be a whole number.')
}

function share(text: string): number {
  return numberIn(text, /^(?:\d+(?:\.\d*)?|\.\d+)$/, 1, 'It must be a number from 0 to 1.')
}

function milliseconds(text: string): number {
  return numberIn(text, /^\d{1,6}$/, 60_000, 'It must be a number of milliseconds, up to 60000.')
}

function numberIn(text: string, form: RegExp, most: number, problem: string): number {
  if (!form.test(text) || Number(text) > most) throw new InvalidArgumentError(problem)
  return Number(text)
}

function damageNames(text: string): RehearsalDamage[] {
  return text.split(/[,+]/).map((name) => {
    const damage = rehearsalDamages.find((one) => one === name.trim())
    if (!damage) throw new InvalidArgumentError(`There are ${rehearsalDamages.join(', ')}.`)
    return damage
  })
}
