import { expect, it } from 'vitest'
import { ToolNames } from './tool-names.ts'

const named = (...names: string[]) =>
  new ToolNames({ names, has: (name) => names.includes(name), shapeOf: () => undefined })

it.each([
  ['get_weather', 'get_weather'],
  ['get\\_weather', 'get_weather'],
  ['functions.get_weather', 'get_weather'],
  ['api.v1.get_weather', 'get_weather'],
  ['get.weather', 'get_weather'],
  ['Get-Weather', 'get_weather'],
  ['math_sqrt', 'math.sqrt'],
  ['sqrt', 'math.sqrt'],
  ['self.sqrt', undefined],
  ['weather', undefined],
  ['', undefined],
  ['a.'.repeat(1000), undefined],
])('%s', (written, name) => expect(named('get_weather', 'math.sqrt').find(written)).toBe(name))

it('does not choose between two', () => {
  const names = named('a.find', 'b.find', 'x_y', 'x.y')
  expect(names.find('find')).toBeUndefined()
  expect(names.find('X_Y')).toBeUndefined()
  expect(names.find('x.y')).toBe('x.y')
})
