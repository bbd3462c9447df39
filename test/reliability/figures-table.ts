import { stripVTControlCharacters } from 'node:util'

import type { Reporter, TestModule } from 'vitest/node'

import { promises } from './figures.ts'

/** Prints the figures of every promise after all tests have run. */
export class FiguresTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const figures = modules.flatMap(({ children }) =>
      Array.from(children.allTests(), (test) => test.meta().figures ?? []).flat(),
    )
    const rows = promises.flatMap((promise) => {
      const found = figures.filter((figure) => figure.promise === promise)
      return found.length > 0 ? found : [{ promise, promised: '', measured: 'not measured' }]
    })
    const columns = ['promise', 'promised', 'measured'] as const
    const lines = [{ promise: 'promise', promised: 'promised', measured: 'measured' }, ...rows]
    const widths = columns.map((name) => Math.max(...lines.map((line) => line[name].length)))
    const texts = lines.map((line) => columns.map((name, index) => line[name].padEnd(widths[index] ?? 0)))
    console.log(
      `\n${texts.map((cells) => stripVTControlCharacters(cells.join('  ')).trimEnd()).join('\n')}\n`,
    )
  }
}
