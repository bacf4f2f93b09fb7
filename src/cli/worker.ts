import { type Command, InvalidArgumentError, Option } from 'commander'
import { addAddressOptions, isAddress } from './engine-options.ts'
import { collect } from './input-options.ts'
import { addSettingOptions } from './run.ts'
import type { BalanceOptions, WorkerCommandOptions } from './run-worker.ts'
import { wholeNumber } from './whole-number.ts'

const workerHelp = `
A worker carries out runs that were submitted with legible run --engine restate. It gets programs and inputs from the
engine; models and tools are its own, with the keys of its environment and the permissions of its folder. Several
workers share the runs, and the agents of one run: give them one address with legible balance, or any balancer for
HTTP/2. What a worker had in hand when it dies goes on at another one; what models have said is not asked for again.

It needs the SDK of Restate, once: npm install @restatedev/restate-sdk. The server is a program of its own:
npm install @restatedev/restate-server && npx restate-server --bind-ip 127.0.0.1

Whoever reaches its address can have it carry out programs with its models and tools. It listens on this machine only,
unless another address is given; then let nobody else in, or have the engine sign its requests (--identity-key).

Examples:
  legible worker --model ollama:qwen3 --tools fs
  legible worker --listen 10.0.0.2:9080 --no-register        behind legible balance

Ctrl-C begins nothing more, and waits for what is asked of models; a second one does not wait.

Exit codes:
    0  it was stopped, by Ctrl-C or SIGTERM
    2  it cannot be started: wrong usage, the port is taken, the engine is not there`

const balanceHelp = `
The engine knows workers by one address. This gives several workers one: each invocation goes to the worker that has the
fewest, and none to one that is not there.

Example:
  legible balance --listen 10.0.0.1:9080 http://10.0.0.2:9080 http://10.0.0.3:9080

Exit codes:
    0  it was stopped, by Ctrl-C or SIGTERM
    2  it cannot be started: wrong usage, the port is taken, the engine is not there`

export function addWorkerCommands(program: Command): void {
  const worker = program
    .command('worker')
    .summary('carry out runs for an engine: Restate')
    .description('Carries out runs that were submitted to an engine, until it is stopped.')
    .addOption(new Option('--engine <name>', 'which engine').choices(['restate']).default('restate'))
  addSettingOptions(addListenOptions(worker))
    .option(
      '--steps <n>',
      'questions to models and calls of tools at the same time (default: 64)',
      wholeNumber,
    )
    .addOption(
      new Option('--identity-key <key>', 'a public key of the engine: whoever else calls is refused')
        .argParser(collect)
        .default([], 'none'),
    )
    .showHelpAfterError('See legible worker --help.')
    .addHelpText('after', workerHelp)
    .action(async (options: WorkerCommandOptions) => {
      const { runWorker } = await import('./run-worker.ts')
      await runWorker(options)
    })
  const balance = program
    .command('balance')
    .summary('one address for several workers')
    .description('Gives several workers one address, by which the engine knows them.')
    .argument('<worker...>', 'their addresses: http://10.0.0.2:9080', workerAddress)
  addListenOptions(balance)
    .showHelpAfterError('See legible balance --help.')
    .addHelpText('after', balanceHelp)
    .action(async (workers: string[], options: BalanceOptions) => {
      const { runBalancer } = await import('./run-worker.ts')
      await runBalancer(workers, options)
    })
}

function addListenOptions(command: Command): Command {
  return addAddressOptions(
    command
      .addOption(
        new Option('--listen <host:port>', 'where it listens')
          .argParser(listenAddress)
          .default({ host: '127.0.0.1', port: 9080 }, '127.0.0.1:9080'),
      )
      .option('--register <url>', 'how the engine reaches it, if that is another address')
      .option('--no-register', 'the engine knows it already')
      .option('--take-over', 'go on with what workers at another address had in hand')
      .option('--json', 'print { url } on one line, and the log as JSON'),
  )
}

function listenAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be an address and a port, as in 127.0.0.1:9080.')
  return { host, port: Number(port) }
}

function workerAddress(text: string, before: readonly string[] = []): string[] {
  if (isAddress(text)) return [...before, text]
  throw new InvalidArgumentError('It must be an address, as in http://10.0.0.2:9080.')
}
