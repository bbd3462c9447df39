import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

import { inject, it } from 'vitest'

import { pages } from '../pages/blocks.ts'
import { planPage } from '../pages/plan.ts'
import { type Failures, runPages } from '../pages/project.ts'

/** The one run of all pages that are tested. */
let running: Promise<Failures> | undefined

function runAll(titles: ReadonlySet<string>): Promise<Failures> {
  const chosen = pages.filter((page) => titles.has(toTitle(page)))
  return runPages(mkdtempSync(join(inject('consumer'), 'pages-')), chosen.map(planPage))
}

const toTitle = (page: string): string => `${page} does what it shows`

for (const page of pages) {
  it(toTitle(page), async ({ task }) => {
    const others = task.file.tasks.filter(({ mode, result }) => mode === 'run' || result)
    running ??= runAll(new Set(others.map(({ name }) => name)))
    expectNone((await running).get(page) ?? [])
  })
}

function expectNone(failures: readonly string[]): void {
  if (failures.length > 0) throw new Error(['', ...failures].join('\n\n'))
}
