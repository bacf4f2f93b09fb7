import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleScope } from '../../tool/permission/permission.ts'
import { type ChosenModel, chooseModel } from '../choose-model.ts'
import { endProcess } from '../end-process.ts'
import { folderOf } from '../folder-of.ts'
import { type LimitOptions, limitsOf } from '../limit-options.ts'
import { loadConfig } from '../load-config.ts'
import { openTools } from '../open-tools.ts'
import { wantsColor } from '../print-issues.ts'
import { stateFolder } from '../state-folder.ts'
import { fileError } from '../usage-error.ts'
import type { ChatFront } from './chat-front.ts'
import { JsonFront } from './json-front.ts'
import { PipeFront } from './pipe-front.ts'
import { loadTalk } from './save-talk.ts'
import { completeCommand } from './slash-commands.ts'
import { talk } from './talk.ts'
import { TerminalFront } from './terminal-front.ts'

export interface ChatOptions extends LimitOptions {
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

export async function runChat(options: ChatOptions): Promise<void> {
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
  let code = 0
  try {
    code = await talk({
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
      isNamed: options.root !== undefined,
      allow: options.allow,
      deny: options.deny,
      messages,
      color: wantsColor(process.stdout.isTTY && !options.json, process.env),
    })
  } finally {
    front?.close()
    await close()
  }
  await endProcess(code)
}

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
