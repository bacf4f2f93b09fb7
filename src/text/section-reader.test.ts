import { describe, expect, it } from 'vitest'
import type { Parts, TextEvent } from './format.ts'
import { labels, markdown, xml } from './index.ts'

const sections = ['thinking', 'action', 'answer'].map((name) => ({ name }))

describe('events', () => {
  const eventsOf = (chunks: readonly string[]) => {
    const events: TextEvent[] = []
    const reader = xml().createReader(sections, { onEvent: (event) => events.push(event) })
    for (const chunk of chunks) reader.push(chunk)
    reader.end()
    return events
  }

  it('come as soon as something is known', () => {
    expect(eventsOf(['Hi <think>hm</think>\n<ans', 'wer>\n4', '2\n', '</answer>\n'])).toEqual([
      { type: 'text-delta', text: 'Hi ' },
      { type: 'reasoning-start', tag: 'think' },
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-end', complete: true },
      { type: 'section-start', name: 'answer' },
      { type: 'section-delta', name: 'answer', text: '4' },
      { type: 'section-delta', name: 'answer', text: '2' },
      { type: 'section-end', name: 'answer', complete: true },
    ])
  })

  it('take back what turns out to be reasoning', () => {
    expect(eventsOf(['so <action>go</action>', '</think>', '<answer>x']).map(({ type }) => type)).toEqual([
      'text-delta',
      'section-start',
      'section-delta',
      'section-end',
      'reasoning-implied',
      'section-start',
      'section-delta',
      'section-end',
    ])
  })

  it('hold back what may not be content', () => {
    const events: TextEvent[] = []
    const reader = markdown().createReader(sections, { onEvent: (event) => events.push(event) })
    const told = () => events.map((event) => ('text' in event ? event.text : '')).join('')
    reader.push('# Answer\na\n\n# Act')
    expect(told()).toBe('a')
    reader.push('or\n')
    expect(told()).toBe('a\n\n# Actor')
    reader.push('# Action\n')
    expect(told()).toBe('a\n\n# Actor')
  })
})

describe('parts', () => {
  it('are seen in several ways', () => {
    const text =
      'One.\n<think> a </think>\n<Answer> x </Answer>\nTwo.\n<think>b</think>\n<action>y</action><answer>z</answer>'
    const parts = xml().read(text, sections).value as Parts
    expect(parts.get('ANSWER')).toEqual(['x', 'z'])
    expect(parts.get('nothing')).toEqual([])
    expect(parts.sections().map(({ name }) => name)).toEqual(['answer', 'action', 'answer'])
    expect([...parts.toMap()]).toEqual([
      ['answer', ['x', 'z']],
      ['action', ['y']],
    ])
    expect(parts.text).toBe('One.\n\nTwo.')
    expect(parts.reasoning).toBe('a\n\n---\n\nb')
  })
})

describe('a reader', () => {
  it('gives the same result whenever it is asked, and hears nothing after the end', () => {
    const reader = labels().createReader([{ name: 'Plan' }])
    reader.push('Plan: x')
    const read = reader.end()
    reader.push('\nPlan: y')
    expect(reader.end()).toBe(read)
    expect((read.value as Parts).get('plan')).toEqual(['x'])
  })

  it('finds the same with and without a listener', () => {
    const text = '<thinking>a <b> </thinking>\n'.repeat(300)
    const read = (onEvent?: () => void) => {
      const reader = xml().createReader(sections, onEvent ? { onEvent } : {})
      for (const character of text) reader.push(character)
      return reader.end()
    }
    expect(read()).toEqual(read(() => {}))
  })
})
