import { type Command, InvalidArgumentError, Option } from 'commander'

/** Where runs are carried out: in the process of the command, or by workers of an engine. */
export const engineNames = ['local', 'restate'] as const
export type EngineName = (typeof engineNames)[number]

export interface EngineChoice {
  readonly engine?: EngineName
  readonly ingress?: string
  readonly admin?: string
}

/** For every command about runs. */
export function addEngineOptions(command: Command): Command {
  return addAddressOptions(
    command.addOption(
      new Option('--engine <name>', 'where runs are carried out: local, restate (LEGIBLE_ENGINE)').choices(
        engineNames,
      ),
    ),
  )
}

/** Where the engine is. */
export function addAddressOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--ingress <url>',
        'of Restate, for runs (RESTATE_INGRESS_URL; http://127.0.0.1:8080)',
      ).argParser(url),
    )
    .addOption(
      new Option(
        '--admin <url>',
        'of Restate, to look at runs (RESTATE_ADMIN_URL; http://127.0.0.1:9070)',
      ).argParser(url),
    )
}

export function isAddress(text: string): boolean {
  return /^https?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text)
}

function url(text: string): string {
  if (isAddress(text)) return text
  throw new InvalidArgumentError('It must be an address, as in http://127.0.0.1:8080.')
}
