import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('README.md', import.meta.url)

/** Puts the text between `<!-- name -->` and `<!-- /name -->` in the README of the benchmarks. */
export function writeBetweenMarkers(name: string, text: string): void {
  const readme = readFileSync(file, 'utf8')
  const open = `<!-- ${name} -->`
  const close = `<!-- /${name} -->`
  const start = readme.indexOf(open)
  const end = readme.indexOf(close)
  if (start === -1 || end < start) throw new Error(`bench/README.md has no ${open} … ${close}`)
  writeFileSync(file, `${readme.slice(0, start + open.length)}\n\n${text.trim()}\n\n${readme.slice(end)}`)
}

/** A Markdown table; the first column is text, the others are figures. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, i) => Math.max(3, cell.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** Three significant digits at most: a benchmark has no more. */
export function figure(n: number): string {
  if (n >= 1000) return Math.round(Number(n.toPrecision(2))).toLocaleString('en')
  if (n >= 100) return n.toPrecision(3)
  return n >= 10 ? n.toFixed(0) : n.toFixed(n < 3 ? 2 : 1)
}
