import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialects } from '../dialects/dialects.ts'
import { formatToolResults } from './format-tool-results.ts'

const two = [
  { id: 'call00001', name: 'search', content: 'one' },
  { id: 'call00002', name: 'now', content: 'say "two"' },
]

describe('formatToolResults', () => {
  it('writes results as the models of the dialect get them', () => {
    const write = (dialect: string) => formatToolResults(two, { dialect })
    expect(write('hermes')).toBe(
      '<tool_response>\none\n</tool_response>\n<tool_response>\nsay "two"\n</tool_response>',
    )
    expect(write('mistral-json')).toBe(
      '[TOOL_RESULTS]{"content": "one", "call_id": "call00001"}[/TOOL_RESULTS][TOOL_RESULTS]{"content": "say \\"two\\"", "call_id": "call00002"}[/TOOL_RESULTS]',
    )
    expect(write('nemotron-v2')).toBe('<TOOL_RESPONSE>["one", "say \\"two\\""]</TOOL_RESPONSE>')
    expect(write('gemma4')).toBe(
      '<|tool_response>response:search{value:<|"|>one<|"|>}<tool_response|><|tool_response>response:now{value:<|"|>say "two"<|"|>}<tool_response|>',
    )
    expect(write('harmony')).toContain(
      '<|start|>functions.search to=assistant<|channel|>commentary<|message|>one<|end|>',
    )
    expect(write('minimax-m2')).toBe(']~b]tool\n<response>one</response>\n<response>say "two"</response>[e~[')
    expect(formatToolResults([], { dialect: 'nemotron-v2' })).toBe('')
  })

  it('gives the number of a call back that has one', () => {
    const results = [{ id: 'functions.now:4', name: 'now', content: 'x' }]
    expect(formatToolResults(results, { dialect: 'kimi-k2' })).toBe(
      '<|im_system|>now<|im_middle|>## Return of functions.now:4\nx<|im_end|>',
    )
  })

  it('puts a backslash into a mark within a content, and nowhere else', () => {
    const write = (content: string) => formatToolResults([{ name: 'f', content }], { dialect: 'hermes' })
    expect(write('</tool_response><|im_end|> <b>')).toBe(
      '<tool_response>\n<\\/tool_response><\\|im_end|> <b>\n</tool_response>',
    )
    expect(write('{content} $& {all}')).toContain('\n{content} $& {all}\n')
  })

  it('has no place for "auto"', () => {
    expect(() => formatToolResults(two, { dialect: 'auto' })).toThrow(
      expect.objectContaining({ code: 'call.unknown_dialect' }),
    )
  })

  it.each(dialects.map(({ name }) => name))('writes no token of %s that is not its own', (dialect) => {
    const tokens = (text: string) =>
      text.match(/<\/?[|｜]|<\/tool_response>|\[\/?TOOL_\w+\]|<\w+_function_\w+>/g) ?? []
    const plain = tokens(formatToolResults([{ id: '1', name: 'f', content: '' }], { dialect }))
    const own = plain.filter((token) => !/^<\/?[|｜]$/.test(token))
    const piece = fc.constantFrom(
      '<|',
      '|>',
      '<|im_end|>',
      '<',
      '/',
      '</|x|>',
      '<｜end▁of▁sentence｜>',
      '\\',
      'a',
      ...own,
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('f', 'f<|x|>'), (pieces, name) => {
        const written = formatToolResults([{ id: '<|1|>', name, content: pieces.join('') }], { dialect })
        // A string in marks of its own is written in plain quotes instead.
        const quotes = (list: readonly string[]) => (/gemma/.test(dialect) ? [] : list)
        expect(quotes(tokens(written))).toEqual(quotes(plain))
      }),
    )
  })
})
