import type { Dialect, Layout } from '../dialect.ts'

/** Where a row says nothing, its marks stand around each call, or around all of them if they are one list. */
export function callLayout({ open = [], close = [], form, write }: Dialect): Required<Layout> {
  const { each, between, all } = write?.calls ?? {}
  const [first = ''] = open
  const [last = ''] = close
  const list = (form.kind === 'json' && form.list === true) || (form.kind === 'pythonic' && !form.lines)
  const together = list || form.kind === 'pythonic'
  const around = list ? `${first}[{all}]${last}` : together ? `${first}{all}${last}` : '{all}'
  const inside = together || all !== undefined || form.kind === 'named'
  return {
    each: each ?? (inside ? '{call}' : `${first}{call}${last}`),
    between: between ?? (list ? ', ' : form.kind === 'named' ? '' : '\n'),
    all: all ?? around,
  }
}

export function resultLayout({ write }: Dialect): Required<Layout> {
  return {
    each: '<tool_response>\n{content}\n</tool_response>',
    between: '\n',
    all: '{all}',
    ...write?.results,
  }
}

export function toolLayout({ write }: Dialect): Required<Layout> {
  return { each: '{function}', between: '\n', all: '<tools>\n{all}\n</tools>', ...write?.tools }
}
