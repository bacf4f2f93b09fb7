import type { Pair, TaggedForm } from '../dialect.ts'
import { type Template, template } from './template.ts'

/** How the calls of a dialect are tagged. */
export interface TagGrammar {
  /** `undefined`: the name stands alone at the beginning, or is the tag. */
  readonly call: Template | undefined
  readonly callClose: string
  /** Several dialects may share the tag of the call. */
  readonly parameters: ParameterTag[]
  /** The tag is the name of the tool. */
  readonly toolTag: boolean
}

/** The tag of an argument. */
export interface ParameterTag {
  readonly form: TaggedForm
  /** `undefined`: the tag is the name of the argument. */
  readonly open: Template | undefined
  /** Empty: the next tag ends it. */
  readonly close: string
}

/** Everything that a form calls a call. */
export function tagGrammars(form: TaggedForm): TagGrammar[] {
  const parameters = [form.parameter, ...(form.also?.parameters ?? [])].map(([open, close]) => ({
    form,
    open: template(open),
    close,
  }))
  const calls: (Pair | undefined)[] = [form.call, ...(form.also?.calls ?? [])]
  return calls.map((call) => ({
    call: call && template(call[0]),
    callClose: call ? call[1] : '',
    parameters: [...parameters],
    toolTag: false,
  }))
}

/** Adds tags to those of other dialects. Where the tag of the call is the same, what follows it tells them apart. */
export function addTags(tags: TagGrammar[], added: TagGrammar): TagGrammar | undefined {
  const same = tags.find((tag) => tag.call?.lead === added.call?.lead)
  if (!same) {
    tags.push(added)
    return added
  }
  for (const parameter of added.parameters)
    if (!same.parameters.some((one) => one.open?.lead === parameter.open?.lead))
      same.parameters.push(parameter)
  return undefined
}

const byName: TaggedForm = {
  kind: 'tagged',
  parameter: ['<{key}>', '</{key}>'],
  space: 'word',
  untyped: 'json',
  entities: true,
}

/** `<f><a>1</a></f>` */
export const toolTag: TagGrammar = {
  call: undefined,
  callClose: '',
  parameters: [{ form: byName, open: undefined, close: '</{key}>' }],
  toolTag: true,
}

/** How a value is read that was written as `<parameter=a>`, whatever else the tag is used for. */
export const equalsForm: TaggedForm = { ...byName, space: 'line', untyped: 'text', entities: false }
