import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agentfile, Comment, Field, JsonValue, Prompt, Statement, Text, Type } from './agentfile.ts'
import { formatAgentfile } from './format-agentfile.ts'
import { isReservedWord } from './keywords.ts'
import { parseAgentfile } from './parse-agentfile.ts'
import { plainTypes } from './parse-type.ts'
import { promptParts } from './prompt-parts.ts'
import { readAgentfile } from './read-agentfile.ts'
import { Report } from './report.ts'
import { workflowOf } from './workflow-of.ts'

const span = [0, 0] as const

const nameText = fc
  .oneof(
    fc.constantFrom('a', 'b', 'c-d', 'LOOP', 'VERSION', 'true', 'list', 'x-', '_'),
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/),
  )
  .filter((text) => !isReservedWord(text))
const name = nameText.map((text) => ({ text, span }))
const content = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '""', '\\', '\\n', '\n', '\t', '$a', '$$', '#', ' ', 'word', 'GOAL a "x"'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join('').replaceAll('{{', '{ {'))
const plainText: Arbitrary<Text> = content.map((text) => ({ text, raw: false, span, offsets: [] }))
const rawText: Arbitrary<Text> = content
  .filter((text) => !/"""|\r/.test(text))
  .map((text) => ({ text, raw: true, span, offsets: [] }))
const text = fc.oneof(plainText, rawText)
const prompt: Arbitrary<Prompt> = fc.oneof(
  text.map((one) => ({ kind: 'text' as const, ...one })),
  fc
    .oneof(fc.constantFrom('a.md', 'a/b-c.md', 'a b', 'x->y', 'a#b'), fc.string())
    .map((path) => ({ kind: 'file' as const, path, span })),
)
const { type, fields } = fc.letrec<{ type: Type; fields: Field[]; field: Field }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...plainTypes).map((kind) => ({ kind, span })),
    tie('type').map((of) => ({ kind: 'list' as const, of, span })),
    tie('fields').map((all) => ({ kind: 'object' as const, fields: all, span })),
    fc
      .uniqueArray(fc.string(), { minLength: 1, maxLength: 3 })
      .map((values) => ({ kind: 'enum' as const, values, span })),
  ),
  field: fc.record({ name, span: fc.constant(span), type: tie('type') }, { requiredKeys: ['name', 'span'] }),
  fields: fc.uniqueArray(tie('field'), { maxLength: 3, selector: (one) => one.name.text }),
}))
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
    fc.boolean(),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(nameText, fc.string(), fc.constant('NAME')), tie('json'), { maxKeys: 3 }),
  ),
}))
const comment: Arbitrary<Comment> = fc.record({
  text: fc.string().map((one) => one.replace(/[\r\n]/g, '').trimEnd()),
  blankBefore: fc.boolean(),
  span: fc.constant(span),
})
const supervision = fc
  .constantFrom('supervised' as const, 'human' as const, 'unsupervised' as const)
  .map((mode) => ({ mode, span }))
const limit = fc.oneof(
  fc.integer({ min: 1 }).map((value) => ({ kind: 'number' as const, value, span })),
  nameText.map((one) => ({ kind: 'variable' as const, name: one, span })),
)
const names = fc.array(name, { minLength: 1, maxLength: 4 })
const around = {
  span: fc.constant(span),
  comments: fc.array(comment, { maxLength: 2 }),
  blankBefore: fc.boolean(),
  trailing: comment.map((one) => ({ ...one, blankBefore: false })),
}
const goal = {
  ...around,
  name,
  prompt,
  outputs: fields,
  using: fc.oneof(fc.constant([]), names),
  supervision,
}
const needed = ['span', 'comments', 'blankBefore', 'kind', 'name'] as const
const statement: Arbitrary<Statement> = fc.oneof(
  fc.record({ ...around, kind: fc.constant('name' as const), name }, { requiredKeys: [...needed] }),
  fc.record(
    {
      ...around,
      kind: fc.constant('input' as const),
      name,
      type,
      default: fc.record({ value: json, span: fc.constant(span) }),
    },
    { requiredKeys: [...needed] },
  ),
  fc.record(
    {
      ...around,
      kind: fc.constant('agent' as const),
      name,
      prompt,
      outputs: fields,
      requires: text,
      supervision,
    },
    { requiredKeys: [...needed, 'prompt', 'outputs'] },
  ),
  fc.record(
    { ...goal, kind: fc.constant('goal' as const) },
    { requiredKeys: [...needed, 'prompt', 'outputs', 'using'] },
  ),
  fc.record(
    { ...goal, kind: fc.constant('converge' as const), within: limit },
    { requiredKeys: [...needed, 'prompt', 'outputs', 'using', 'within'] },
  ),
  fc.record(
    { ...around, kind: fc.constant('run' as const), name, using: names, within: limit, supervision },
    { requiredKeys: [...needed, 'using'] },
  ),
  fc.record(
    { ...around, kind: fc.constant('supervision' as const), supervision },
    { requiredKeys: ['span', 'comments', 'blankBefore', 'kind', 'supervision'] },
  ),
  fc.record(
    { ...around, kind: fc.constant('security' as const), mode: name, scope: text },
    { requiredKeys: ['span', 'comments', 'blankBefore', 'kind', 'mode'] },
  ),
) as Arbitrary<Statement>
const agentfile: Arbitrary<Agentfile> = fc.record({
  statements: fc.array(statement, { maxLength: 6 }),
  comments: fc.array(comment, { maxLength: 2 }),
  span: fc.constant(span),
})

/** Without places; and nothing stands before the first line. */
function plain(file: Agentfile): unknown {
  const first = file.statements[0]?.comments[0] ?? file.statements[0] ?? file.comments[0]
  return JSON.parse(
    JSON.stringify(file, function (key, value) {
      if (key === 'span' || key === 'offsets') return undefined
      return key === 'blankBefore' && this === first ? false : value
    }),
  )
}

function parse(source: string) {
  const report = new Report()
  const { file } = parseAgentfile(source, report)
  return { file, issues: report.list(100) }
}

const format = (source: string) => formatAgentfile(parse(source).file)

describe('formatAgentfile', () => {
  it('writes what is read again as the same, whatever it is', () => {
    fc.assert(
      fc.property(agentfile, (file) => {
        const written = formatAgentfile(file)
        const { file: again, issues } = parse(written)
        expect(issues).toEqual([])
        expect(plain(again)).toEqual(plain(file))
        expect(formatAgentfile(again)).toBe(written)
      }),
      { numRuns: 1000 },
    )
  })

  it('puts clauses in their order, and keeps one blank line at most', () => {
    expect(format('\n\nNAME   x\n\n\n\nGOAL a   USING b,c  ->d  "x"   \nRUN r USING a')).toBe(
      'NAME x\n\nGOAL a "x" -> d USING b, c\nRUN r USING a\n',
    )
    expect(format('')).toBe('')
    expect(format('\n# only\n')).toBe('# only\n')
  })

  it('gives each clause a line of its own where the line would be long', () => {
    const words = 'many words '.repeat(9).trim()
    expect(format(`AGENT b REQUIRES "fast" "${words}" -> c`)).toBe(
      `AGENT b "${words}"\n  -> c\n  REQUIRES "fast"\n`,
    )
    expect(format(`GOAL a """${words}\n${words}""" USING b SUPERVISED`)).toBe(
      `GOAL a """\n${words}\n${words}\n""" USING b SUPERVISED\n`,
    )
  })

  it('keeps comments, wherever they stand', () => {
    const source = '# a\n#b\n\n# c\nNAME x #d\nGOAL y # e\n  "x" # f\n# g\n\n\n# h'
    expect(format(source)).toBe('# a\n#b\n\n# c\nNAME x  #d\n# e\nGOAL y "x"  # f\n# g\n\n# h\n')
  })

  it('writes variables in the modern way, and they stay the same', () => {
    const piece = fc.constantFrom(
      '{{a}}',
      '{{ b-c }}',
      '{{x}}',
      '$',
      '$$',
      '$a',
      `\${a}`,
      '{',
      '}',
      's',
      '-',
      'c',
      ' ',
      '_',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const prompt = { kind: 'text' as const, text: pieces.join(''), raw: false, span, offsets: [] }
        const inputs = ['a', 'b-c', 'b'].map((one) => ({
          kind: 'input',
          name: { text: one, span },
          span,
          comments: [],
          blankBefore: false,
        }))
        const used = {
          kind: 'agent',
          name: { text: 'z', span },
          prompt,
          outputs: [],
          span,
          comments: [],
          blankBefore: false,
        }
        const file = { statements: [...inputs, used] as Statement[], comments: [], span }
        const { variables } = workflowOf(file)
        const meaning = (one: string) =>
          promptParts(one, variables)
            .map((part) => (part.kind === 'text' ? part.text : `‹${part.name}›`))
            .join('')
        const { file: again } = parse(formatAgentfile(file))
        const written = (again.statements[3] as { prompt: Text }).prompt.text
        expect(meaning(written)).toBe(meaning(prompt.text))
        expect(
          promptParts(written, variables).some((part) => part.kind === 'variable' && part.form === 'old'),
        ).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves nothing to say about older spellings', () => {
    const old = `WORKFLOW x
VERSION 2
INPUT a="v"
INPUT b "v"
GOAL "Do {{a}}
and {{b}}"
GOAL c "x"
RUN c THEN c
LOOP l USING c WITHIN 2
RUN r USING do_a_and_b
`
    const read = readAgentfile(old)
    expect(read.ok).toBe(true)
    expect(new Set(read.issues.map(({ code }) => code.replace('agentfile.', '')))).toEqual(
      new Set([
        'old_workflow',
        'old_version',
        'old_default',
        'old_unnamed_goal',
        'old_string',
        'old_variable',
        'old_then',
        'old_loop',
      ]),
    )
    expect(readAgentfile(formatAgentfile(read.value as Agentfile)).issues).toEqual([])
  })
})
