/**
 * How a family of models writes calls, as data: the engine has no rule of its own for any of them. Of several
 * spellings, the first is the one that is written.
 */
export interface Dialect {
  readonly name: string
  /** Marks that open a place for calls, and those that close it. Around each call, around all of them, or both. */
  readonly open?: readonly string[]
  readonly close?: readonly string[]
  readonly form: CallForm
  /** What stands between the name of a call, its id and its arguments. */
  readonly separators?: readonly string[]
  /** White space before the opening mark belongs to it. */
  readonly spaceBefore?: boolean
  /** The name stands before the opening mark as well. */
  readonly nameBefore?: boolean
  /** What the model thinks stands between these. */
  readonly reasoning?: readonly Pair[]
  /** What the model writes first when the prompt has opened reasoning. */
  readonly reasoningHead?: string
  /** A call within reasoning is meant: its marks are no text that a model would think. */
  readonly callsWhileReasoning?: boolean
  /** Around the answer, where the model marks it: they are no part of it. */
  readonly answer?: readonly Pair[]
  /** Marks of the chat template that are never content. */
  readonly tokens?: readonly string[]
  /** Messages with a header that says whom they are for. */
  readonly headers?: Headers
  /** Calls may stand without any mark: as JSON, as a list of calls in Python, or as a line with the name of a tool. */
  readonly bare?: readonly ('json' | 'pythonic' | 'line')[]
  /** The marks are ordinary tags, which may stand around other things than calls. */
  readonly loose?: boolean
  /** What is written, where the first of the marks does not say it. */
  readonly write?: Writing
}

/**
 * How calls, results and tools are laid out. A word in braces is a place: the ones there are stand at each field, and
 * every other text stays as it is.
 */
export interface Writing {
  readonly calls?: CallLayout
  /** Of `each`: `{name}`, `{id}`, `{index}` (from 0), `{number}` (from 1), `{content}`, `{quoted}` (as a string of the form). */
  readonly results?: Layout
  /** Of `each`: `{name}`, `{function}` (as APIs declare it), `{tool}` (what stands within that), `{braces}` (the same as a literal). */
  readonly tools?: Layout
  /** Other marks of the chat template: no value may hold them as they are. */
  readonly marks?: readonly string[]
}

/** A list: how each of its parts is written, what stands between two of them, and what around them all (`{all}`). */
export interface Layout {
  readonly each?: string
  readonly between?: string
  readonly all?: string
}

/** Of `each`: `{call}` in the form of the dialect, `{name}`, `{id}`, `{index}`, `{number}`, `{arguments}` as JSON. */
export interface CallLayout extends Layout {
  /** Tags: those of a call and of its arguments stand on lines of their own. */
  readonly lines?: boolean
  /** Tags: around an argument, where it is written otherwise than the form has it. */
  readonly argument?: Pair
  /** Tags: `{attributes}` of the tag of a call, with the places of `each`. */
  readonly attributes?: string
  /** Tags: the arguments are JSON. */
  readonly json?: boolean
  /** JSON: the id stands before the name. */
  readonly idFirst?: boolean
}

export type Pair = readonly [open: string, close: string]

export type CallForm = JsonForm | NamedForm | TaggedForm | PythonicForm | BraceForm | ToolTagForm

/** `{"name": "f", "arguments": {…}}`, or a list of these. */
export interface JsonForm {
  readonly kind: 'json'
  readonly name?: string
  readonly arguments?: string
  readonly id?: string
  /** Several calls are written as one list. */
  readonly list?: boolean
  /** The key is the name of the tool: `{"f": {…}}`. */
  readonly keyed?: boolean
}

/** The name, then the arguments as JSON. */
interface NamedForm {
  readonly kind: 'named'
  /** What is written: `{name}`, `{id}`, `{index}` and `{arguments}` stand for these. */
  readonly write: string
}

/** Every argument in a tag of its own. What it means, the schema says. */
export interface TaggedForm {
  readonly kind: 'tagged'
  /** `<function={name}>` … `</function>`; without it, the name stands alone at the beginning. */
  readonly call?: Pair
  readonly parameter: Pair
  /** Other tags that models write for these; an empty end mark: the next tag ends it. */
  readonly also?: { readonly calls?: readonly Pair[]; readonly parameters?: readonly Pair[] }
  /**
   * White space around a value. `keep`: all of it belongs to it; `word`: not around a value of one line; `line`: nor does
   * one line break on each side.
   */
  readonly space: 'keep' | 'word' | 'line'
  /** What a value is that the schema says nothing about. */
  readonly untyped: 'text' | 'json'
  /** `&lt;` stands for `<`. */
  readonly entities?: boolean
  /** What stands before each tag. */
  readonly prefix?: string
  /** How a value says that it is text, or that it is not (`{type}` is what it is): the attributes of its tag. */
  readonly attributes?: { readonly text: string; readonly json: string }
}

/** `[f(a=1), g(b="x")]`. */
interface PythonicForm {
  readonly kind: 'pythonic'
  /** One call a line instead of a list. */
  readonly lines?: boolean
}

/** `call:f{a:1,b:<|"|>x<|"|>}`. */
interface BraceForm {
  readonly kind: 'brace'
  readonly quote: string
}

/** `<f><a>1</a></f>`: the tag is the name of the tool. */
export interface ToolTagForm {
  readonly kind: 'tool-tag'
  /** The arguments are written as YAML. */
  readonly yaml?: boolean
}

export interface Headers {
  readonly start: string
  readonly message: string
  readonly end: readonly string[]
  /** Channels and recipients whose messages are reasoning, and those whose messages are the answer. */
  readonly reasoning: readonly string[]
  readonly answer: readonly string[]
}
