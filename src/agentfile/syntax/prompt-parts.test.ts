import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PromptPart, promptParts } from './prompt-parts.ts'

const names = new Set(['topic', 'topics', 'a', 'a-b', 'word_count'])

/** Variables in ‹›, unknown ones in !!. */
function told(prompt: string): string {
  return promptParts(prompt, names)
    .map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'variable' ? `‹${part.name}›` : `!${part.name}!`,
    )
    .join('')
}

describe('promptParts', () => {
  it('finds variables', () => {
    expect(told('On $topic, $topics.')).toBe('On ‹topic›, ‹topics›.')
    expect(told('$topic$a')).toBe('‹topic›‹a›')
    expect(told('')).toBe('')
  })

  it('takes the longest name that exists, where a dash may be either', () => {
    expect(told('$a-b $a-c $a-b-c $a- $word_count-word')).toBe('‹a-b› ‹a›-c ‹a-b›-c ‹a›- ‹word_count›-word')
  })

  it('does not cut letters off a name', () => {
    expect(told('$topic_x $topicx $a1')).toBe('!topic_x! !topicx! !a1!')
  })

  it('knows where a name in braces ends', () => {
    expect(told(`\${topic}s {{topic}}s {{ a }}`)).toBe('‹topic›s ‹topic›s ‹a›')
    expect(told(`\${x} {{x}} {{a} \${a`)).toBe(`\${x} {{x}} {{a} \${a`)
  })

  it('leaves dollars alone that are no variables', () => {
    expect(told('$$topic $$$topic $5 $(x) $ $')).toBe('$topic $‹topic› $5 $(x) $ $')
    expect(told(`$\${topic}`)).toBe(`\${topic}`)
  })

  it('says where each part stands', () => {
    const parts: PromptPart[] = promptParts('x $$ $topic {{a}}!', names)
    expect(parts).toEqual([
      { kind: 'text', text: 'x $ ', span: [0, 5] },
      { kind: 'variable', name: 'topic', form: 'plain', span: [5, 11] },
      { kind: 'text', text: ' ', span: [11, 12] },
      { kind: 'variable', name: 'a', form: 'old', span: [12, 17] },
      { kind: 'text', text: '!', span: [17, 18] },
    ])
  })

  it('covers the whole prompt, without gaps', () => {
    const soup = fc.array(
      fc.constantFrom('$', '{', '}', '{{', '}}', 'a', '-', 'b', '_', ' ', 'topic', 's', '5', '\n'),
    )
    fc.assert(
      fc.property(soup, (pieces) => {
        const prompt = pieces.join('')
        let at = 0
        for (const { span } of promptParts(prompt, names)) {
          expect(span[0]).toBe(at)
          expect(span[1]).toBeGreaterThan(at)
          at = span[1]
        }
        expect(at).toBe(prompt.length)
      }),
      { numRuns: 2000 },
    )
  })

  it('gives any text back whose dollars and braces are doubled or absent', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const prompt = text.replaceAll('{', '(').replaceAll('$', '$$$$')
        expect(told(prompt)).toBe(text.replaceAll('{', '('))
      }),
    )
  })
})
