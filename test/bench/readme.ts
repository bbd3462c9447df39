import { isReached, type Row } from './suite.ts'

/** What the README shows of a run. */
interface Shown {
  readonly date: string
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string }
  readonly rows: readonly Row[]
}

/** The README's table of a whole run. Errors: a row that the run lacks. */
export function benchLines({ date, machine, rows }: Shown): string[] {
  const at = (id: string): number => {
    const row = rows.find((one) => one.id === id)
    if (!row) throw new Error(`the run has no ${id}: make a whole one by npm run bench -- --write`)
    return row.measured.median
  }
  const ratio = (id: string): string => at(id).toFixed(2)
  const resets = ['small-memory', 'small-disk', 'large-memory', 'large-disk'].map((id) => at(`reset-${id}`))
  const short = rows.filter((row) => isReached(row) === false).map(shortText)
  const { cpu, cores, node } = machine
  return [
    `| ${date}, ${cpu}, ${cores} cores, Node ${node} | Measured |`,
    '| --- | --- |',
    `| CPU time of raw \`node:http\` with each answer ready, divided by ours | one customer ${ratio('customer')}, a page of 100 ${ratio('page')}, all pages in turn ${ratio('walk')}, two filters ${ratio('filtered')}, never asked before ${ratio('new')}, signals of \`mine\` ${ratio('signals')}, a note on disk ${ratio('note')} |`,
    `| Start to the first answer, and memory after load, divided by those of Hono's hello | start \`small\` ${ratio('start-small')}, \`medium\` from its files ${ratio('start-medium')}; memory \`medium\` ${ratio('memory-medium')} (\`large\`: ${at('memory-large').toFixed(0)} MB) |`,
    `| Cost at 100,000 customers, divided by that at 300 | a page ${ratio('growth-page')}, never asked before ${ratio('growth-new')}, two filters ${ratio('growth-filtered')}; a note among 10,000 ${ratio('notes')} |`,
    `| Reset; opening a session | ${Math.max(...resets).toFixed(2)} ms; ${Math.max(at('session-small'), at('session-large')).toFixed(1)} µs |`,
    `| Short of its goal ([why](test/bench/README.md#what-falls-short-and-why)) | ${short.join(', ') || 'nothing'} |`,
  ]
}

function shortText({ id, measured, goal }: Row): string {
  const wanted = !goal ? '' : 'atLeast' in goal ? goal.atLeast : goal.atMost
  return `\`${id}\` ${measured.median.toFixed(2)} instead of ${wanted}`
}
