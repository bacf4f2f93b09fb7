import { type Command, Option } from 'commander'
import type { GraphOptions } from './run-graph.ts'

const help = `
What runs after what, who works at the same time, what is repeated and how often, who decides, and which values go where.

Formats:
  mermaid  text, which many pages of documentation draw: put it in a block \`\`\`mermaid
  svg      a picture in one file, without scripts; it follows light and dark

Examples:
  legible graph research.agent                    Mermaid, on standard output
  legible graph research.agent --out research.svg
  legible graph --format svg research.agent > research.svg

Exit codes:
    0  drawn; there may be warnings, which legible check shows
    1  the file has errors: they are shown, and nothing is drawn
    2  it cannot be carried out: wrong usage, no such file, a place that cannot be written to
  130  interrupted`

export function addGraphCommand(program: Command): void {
  program
    .command('graph')
    .summary('draw the workflow of an Agentfile')
    .description('Draws the workflow of an Agentfile, as Mermaid or as a picture.')
    .argument('<file>', 'an Agentfile; - is standard input')
    .addOption(
      new Option(
        '-f, --format <name>',
        'how; without it, what the ending of --out says, else mermaid',
      ).choices(['mermaid', 'svg']),
    )
    .option('-o, --out <file>', 'where to; without it, standard output')
    .showHelpAfterError('See legible graph --help.')
    .addHelpText('after', help)
    .action(async (file: string, options: GraphOptions) => {
      const { runGraph } = await import('./run-graph.ts')
      await runGraph(file, options)
    })
}
