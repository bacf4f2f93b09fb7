import { cutIntoChunks } from '../chunks.ts'
import { type Model, modelOf } from '../middleware/model.ts'
import type { legible, Saved } from './legible.ts'

type Legible = NonNullable<typeof legible>

/** A model that knows at once what each goal of `goalsInSequence` wants. */
export function instantModel(): Model {
  const replies = new Map<string, Model>()
  const replyOf = (number: string) => {
    const text = `{"result${number}": "It is known, and costs less than one thinks.", "confidence${number}": 0.9}`
    const model = replies.get(number) ?? modelOf(cutIntoChunks(text, 4))
    replies.set(number, model)
    return model
  }
  return {
    ...modelOf([]),
    doStream(options) {
      // The fields are listed behind the prompt; goals with agents ask for none, and take any text.
      const said = JSON.stringify(options.prompt.at(-1)?.content)
      const number = /- result(\d+)/.exec(said)?.[1] ?? ''
      return replyOf(number).doStream(options)
    },
  }
}

export function programOfText({ readAgentfile, programOf }: Legible, text: string): unknown {
  const { ok, value, issues } = readAgentfile(text)
  if (!ok || issues.length > 0) throw new Error(`the file is not right: ${issues[0]?.message}`)
  return programOf(value)
}

/** Runs a workflow to its end, with somebody who looks at every event; gives what it kept. */
export async function finished(
  run: ReturnType<ReturnType<Legible['createWorkflow']>['start']>,
): Promise<Saved> {
  for await (const _ of run);
  const { kind, saved } = await run.outcome
  if (kind !== 'completed' || !saved) throw new Error(`it came to ${kind}`)
  return saved
}

export const headerOf = (program: unknown) => ({
  id: 'bench',
  started: new Date().toISOString(),
  file: 'bench.agent',
  program,
  inputs: {},
  settings: {},
})
