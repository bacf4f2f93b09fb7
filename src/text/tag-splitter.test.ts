import { describe, expect, it } from 'vitest'
import { LegibleError } from '../core/legible-error.ts'
import { splits } from '../testing/splits.ts'
import { createTagSplitter, splitTags, type TagEvent, type TagSplitterOptions } from './tag-splitter.ts'

function eventsOf(chunks: readonly string[], options: TagSplitterOptions = {}): TagEvent[] {
  const events: TagEvent[] = []
  const splitter = createTagSplitter({ ...options, onEvent: (event) => events.push(event) })
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return events
}

describe('createTagSplitter', () => {
  it('tells what is inside and what is outside as soon as it can be known', () => {
    const events: TagEvent[] = []
    const splitter = createTagSplitter({ onEvent: (event) => events.push(event) })
    splitter.push('a <')
    expect(events).toEqual([{ type: 'outside-delta', text: 'a ' }])
    splitter.push('b <thi')
    expect(events.slice(1)).toEqual([
      { type: 'outside-delta', text: '<' },
      { type: 'outside-delta', text: 'b ' },
    ])
    splitter.push('nk>c')
    expect(events.slice(3)).toEqual([
      { type: 'tag-start', tag: 'think' },
      { type: 'tag-delta', tag: 'think', text: 'c' },
    ])
    splitter.push('</think')
    expect(events.length).toBe(5)
    splitter.push('>')
    expect(events.slice(5)).toEqual([{ type: 'tag-end', tag: 'think', complete: true }])
  })

  it('tells that all was inside', () => {
    expect(eventsOf(['hm', '</think>', 'a'])).toEqual([
      { type: 'outside-delta', text: 'hm' },
      { type: 'tag-implied', tag: 'think' },
      { type: 'outside-delta', text: 'a' },
    ])
  })

  it('begins inside, if told so', () => {
    expect(eventsOf(['hm</th', 'ink>a'], { start: 'inside' })).toEqual([
      { type: 'tag-start', tag: '' },
      { type: 'tag-delta', tag: '', text: 'hm' },
      { type: 'tag-end', tag: '', complete: true },
      { type: 'outside-delta', text: 'a' },
    ])
  })

  it('tells the same at every split', () => {
    const text = 'a<think>b<think>c</think>\n</think>d</think><b>`<think>` ◁think▷x◁/think▷<'
    const joined = (events: readonly TagEvent[]) => {
      let told = ''
      let last = ''
      for (const event of events) {
        const kind = `${event.type}${'tag' in event ? ` ${event.tag}` : ''}`
        if (kind !== last || !('text' in event)) told += `\n${kind} `
        if ('text' in event) told += event.text
        last = kind
      }
      return told
    }
    const whole = joined(eventsOf([text]))
    for (const chunks of splits(text, 3, 20)) expect(joined(eventsOf(chunks))).toBe(whole)
  })

  it('gives what was found at the end', () => {
    const split = splitTags('a<A>b</a>c', { tags: ['a', 'x'] })
    expect(split).toEqual({
      ok: true,
      complete: true,
      issues: [],
      value: {
        pieces: [
          { tag: undefined, text: 'a', span: [0, 1], complete: true },
          { tag: 'a', text: 'b', span: [1, 9], complete: true },
          { tag: undefined, text: 'c', span: [9, 10], complete: true },
        ],
        inside: ['b'],
        outside: 'ac',
      },
    })
  })

  it('throws for mistakes in the program', () => {
    for (const tags of [[], [''], ['a b'], ['a', 'A']])
      expect(() => createTagSplitter({ tags })).toThrow(LegibleError)
  })
})
