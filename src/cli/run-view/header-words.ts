import type { Value } from '../../agentfile/run/program.ts'
import type { RunViewOptions } from './run-view.ts'

export const modelWords = ({ model, isRehearsal, advice = 'see --model' }: RunViewOptions): string =>
  isRehearsal ? `rehearsal model (offline): ${advice}` : model

/** What the run was given, and for the rest what the file says; in the order of the file. */
export function givenInputs({ program, inputs = {} }: RunViewOptions): Record<string, Value> {
  const values = program.inputs.flatMap(({ name, default: usual }): [string, Value][] => {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : usual
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}
