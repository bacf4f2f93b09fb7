import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../core/random-numbers.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { KnownTools } from '../known-tools.ts'
import { recoverCalls } from './recover-calls.ts'

const weather = compileSchema({
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, tags: { type: 'array' } },
})
const shapes = new Map(['get_weather', 'geo.distance', 'roll'].map((name) => [name, weather.shape]))
const tools: KnownTools = {
  names: [...shapes.keys()],
  has: (name) => shapes.has(name),
  shapeOf: (name) => shapes.get(name),
}

const calls = (text: string) => recoverCalls(text, tools).map(({ name, arguments: args }) => [name, args])

const rome = ['get_weather', { city: 'Rome' }]
const oslo = ['get_weather', { city: 'Oslo' }]

describe('calls written as calls', () => {
  it.each([
    ['in a list', `[get_weather(city='Rome'), get_weather(city="Oslo")]`],
    ['in lines', `get_weather(city='Rome')\nget_weather(city='Oslo')`],
    ['with semicolons', `get_weather(city='Rome'); get_weather(city='Oslo');`],
    ['in lists of one', `[get_weather(city='Rome')]\n[get_weather(city='Oslo')]`],
    ['in strings', `["get_weather(city='Rome')", "get_weather(city='Oslo')"]`],
    ['in strings with the same quotes', `['get_weather(city='Rome')', 'get_weather(city='Oslo')']`],
    ['in strings with escapes', String.raw`["get_weather(city=\"Rome\")", "get_weather(city=\"Oslo\")"]`],
    ['in a fence', "```python\n[get_weather(city='Rome'), get_weather(city='Oslo')]\n```"],
    ['in two fences', "```\nget_weather(city='Rome')\n```\n\n```\nget_weather(city='Oslo')\n```"],
    ['by position', `[get_weather('Rome'), get_weather('Oslo')]`],
    ['with an object', `get_weather({"city": "Rome"})\nget_weather({'city': 'Oslo'})`],
    ['with colons', `get_weather(city: "Rome"), get_weather(city: "Oslo")`],
    ['with escaped underscores', String.raw`[get\_weather(city='Rome'), get\_weather(city='Oslo')]`],
    ['with a namespace', `functions.get_weather(city='Rome')\ntools.get_weather(city='Oslo')`],
    ['in other case', `[Get_Weather(city='Rome'), GET_WEATHER(city='Oslo')]`],
    ['with names in quotes', `['get_weather'(city='Rome'), \`get_weather\`(city='Oslo')]`],
    ['assigned and printed', `a = get_weather(city='Rome')\nprint(get_weather(city='Oslo'))`],
    ['with comments', `# the first\nget_weather(city='Rome')\n# the second\nget_weather(city='Oslo')`],
    ['numbered', `1. get_weather(city='Rome')\n2. get_weather(city='Oslo')`],
    ['in tags', `<calls>get_weather(city='Rome')</calls><calls>get_weather(city='Oslo')</calls>`],
    ['in prose', `Call get_weather(city='Rome') and then get_weather(city='Oslo').`],
    ['with prose between', `First:\nget_weather(city='Rome')\nThen the other:\nget_weather(city='Oslo')`],
    ['without the last brackets', `[get_weather(city='Rome'), get_weather(city='Oslo'`],
    ['without a bracket in between', `get_weather(city='Rome'\nget_weather(city='Oslo')`],
    ['as names in a list', `[get_weather, city='Rome'], ['get_weather', city='Oslo']`],
  ])('%s', (_, text) => expect(calls(text)).toEqual([rome, oslo]))

  it('has dots where the name has underscores, and the other way round', () => {
    expect(calls(`[get.weather(city='Rome'), geo_distance('Oslo')]`)).toEqual([
      rome,
      ['geo.distance', { city: 'Oslo' }],
    ])
  })

  it('is the tool of that name in a namespace, if there is one only', () => {
    expect(calls('distance("Rome")')).toEqual([['geo.distance', { city: 'Rome' }]])
  })

  it('says where they stand, and whether they are complete', () => {
    expect(recoverCalls('[roll(1), roll(2', tools)).toMatchObject([
      { span: [1, 8], complete: true },
      { span: [10, 16], complete: false },
    ])
  })
})

describe('calls written as values', () => {
  it.each([
    ['an object', '{"name": "get_weather", "arguments": {"city": "Rome"}}'],
    ['a list', '[{"name": "get_weather", "parameters": {"city": "Rome"}}]'],
    ['in Python', `{'name': 'get_weather', 'args': {'city': 'Rome'}}`],
    ['wrapped', '{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}'],
    [
      'of a provider',
      '{"type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\"}"}}',
    ],
    ['with other keys', '{"tool_name": "get_weather", "tool_input": {"city": "Rome"}}'],
    ['with a thought', '{"thought": "…", "action": "get_weather", "action_input": {"city": "Rome"}}'],
    ['twice wrapped', '{"get_weather": {"arguments": {"city": "Rome"}}}'],
    ['flat', '{"tool": "get_weather", "city": "Rome"}'],
    ['under its name', `[{'get_weather': {'city': 'Rome'}}]`],
    ['as pairs', '{"name": "get_weather", "arguments": [{"name": "city", "value": "Rome"}]}'],
    ['below its name', 'get_weather\n{"city": "Rome"}'],
    ['behind its name', 'get_weather: {"city": "Rome"}'],
    ['beside its name', '["get_weather", {"city": "Rome"}]'],
    ['beside its name in a tuple', `[('get_weather', {'city': 'Rome'})]`],
    ['in a tag', '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'],
    ['between marks', '<|start|>\n{"arguments": {"city": "Rome"}, "name": "get_weather"}\n<|end|>'],
    [
      'in a fence, in prose',
      'Here it is:\n```json\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n```\nDone.',
    ],
    ['cut off', '{"name": "get_weather", "arguments": {"city": "Rome"'],
  ])('%s', (_, text) => expect(calls(text)).toEqual([rome]))

  it('several under one name', () => {
    expect(calls(`{"get_weather": [{"city": "Rome"}, {"city": "Oslo"}]}`)).toEqual([rome, oslo])
  })

  it('take an argument for what it is, whatever it is called', () => {
    const { shape } = compileSchema({
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
    })
    const known = { names: ['echo'], has: (name: string) => name === 'echo', shapeOf: () => shape }
    expect(recoverCalls('{"tool": "echo", "input": "hi", "type": "call"}', known)).toMatchObject([
      { name: 'echo', arguments: { input: 'hi' } },
    ])
    expect(recoverCalls('{"tool": "echo", "reason": "it speaks"}', known)).toEqual([])
  })

  it('keep their id', () => {
    const [call] = recoverCalls('{"id": "c1", "name": "roll", "arguments": {}}', tools)
    expect(call?.id).toBe('c1')
  })

  it('know no prototype', () => {
    const [call] = recoverCalls('{"name": "roll", "arguments": {"__proto__": {"x": 1}}}', tools)
    expect(Object.keys(call?.arguments ?? {})).toEqual(['__proto__'])
  })
})

describe('no call', () => {
  it.each([
    ['a mention', 'The get_weather function needs a city, which is missing.'],
    ['an empty list', '[]'],
    ['another tool', '[other(city="Rome")]'],
    ['a signature', 'Use get_weather(city, days) for that.'],
    ['a signature with types', 'get_weather(city: str, days: int)'],
    ['a definition', 'def get_weather(city="Rome"):\n  pass'],
    ['a test', 'assert get_weather("Rome") == 3'],
    ['a method', 'self.get_weather("Rome")'],
    ['a placeholder', 'It is called as get_weather(...).'],
    ['an example', "You could ask again. For example:\n```\nget_weather(city='Rome')\n```"],
    [
      'a declaration',
      '[{"name": "get_weather", "description": "…", "parameters": {"type": "object", "properties": {}}}]',
    ],
    ['a schema under its name', '{"get_weather": {"type": "object", "properties": {"city": {}}}}'],
    ['a name with nothing', '{"get_weather": null, "roll": ""}'],
    ['what another one says', 'There is no tool for that.\n\n### Instruction:\nget_weather(city="Rome")'],
  ])('%s', (_, text) => expect(calls(text)).toEqual([]))
})

describe('the answer, and what stands around it', () => {
  it('is what stands on lines of its own, not what explains it', () => {
    expect(calls('[get_weather("Rome")]\n\nHere `get_weather("Oslo")` would not do.')).toEqual([rome])
  })

  it('ends where another one speaks', () => {
    expect(
      calls('[get_weather("Rome")]\n\n### Instruction:\nAgain!\n### Response:\n[get_weather("Oslo")]'),
    ).toEqual([rome])
    expect(calls('[get_weather("Rome")]\nUser: and Oslo?\n[get_weather("Oslo")]')).toEqual([rome])
  })

  it('ends where a program begins', () => {
    expect(calls('[get_weather("Rome")]\n\nimport os\n\nx = get_weather("Oslo")')).toEqual([rome])
  })

  it('is given once', () => {
    expect(calls('[get_weather("Rome")]\n\nOnce more:\n\n[get_weather("Rome")]')).toEqual([rome])
    expect(calls('[roll(1), roll(2)]\n```\n[roll(1), roll(2)]\n```')).toHaveLength(2)
  })

  it('may ask for the same thing twice', () => {
    expect(calls('[roll(), roll()]')).toHaveLength(2)
    expect(calls('[roll(), roll(), roll(), roll(), roll(), roll()]')).toHaveLength(6)
  })

  it('does not go round and round', () => {
    expect(calls('roll(1)\nroll(2)\n'.repeat(20))).toHaveLength(2)
    expect(calls(`[${'roll(1), '.repeat(100)}`)).toHaveLength(1)
  })
})

it('gives nothing where no tool is known', () => {
  expect(recoverCalls('[roll(1)]', { names: [], has: () => false, shapeOf: () => undefined })).toEqual([])
})

it('holds for whatever is written', () => {
  const parts = [
    'roll',
    'geo.distance',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '=',
    '"',
    "'",
    '`',
    '\\',
    '\n',
    ' ',
  ]
  parts.push(
    '"name"',
    '"arguments"',
    '1',
    '**',
    'True',
    'dict(',
    '```',
    '<tool>',
    '# ',
    '"""',
    'Rome',
    '\\_',
    '==',
  )
  const random = randomNumbers(4)
  for (let run = 0; run < 3000; run++) {
    const text = Array.from({ length: 30 }, () => parts[Math.floor(random() * parts.length)]).join('')
    let last = 0
    for (const { span, name } of recoverCalls(text, tools)) {
      expect(tools.has(name)).toBe(true)
      expect(span[0]).toBeGreaterThanOrEqual(last)
      expect(span[1]).toBeGreaterThan(span[0])
      last = span[1]
    }
    expect(last).toBeLessThanOrEqual(text.length)
  }
})

it.each([
  'get_weather(',
  "roll('a' b ",
  '{',
  '{"name": "roll", ',
  '{"roll": {',
  "['roll', ",
  'roll\n{',
  'roll(a=1) prose\n',
  '[roll(a=[1]), ',
  'a.a.',
  '> user\n',
  '{"a":[1,{"b":"c"}]}',
  'x = roll(1)\n',
  '   \n',
])('reads a lot of %j in no time', { timeout: 60_000 }, (part) => {
  const start = performance.now()
  recoverCalls(part.repeat(500_000 / part.length), tools)
  expect(performance.now() - start).toBeLessThan(5000)
})
