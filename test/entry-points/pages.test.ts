import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { beforeAll, expect, inject, it } from 'vitest'

import { pages } from '../pages/blocks.ts'
import { planPage } from '../pages/plan.ts'
import { listTypeErrors, writeProject } from '../pages/project.ts'
import { runToEnd } from './recipe.ts'

const root = mkdtempSync(join(inject('consumer'), 'pages-'))
const repository = { cwd: resolve() }

beforeAll(() => {
  const chosen = pages.filter((page) => page.includes(process.env['PAGE'] ?? ''))
  return writeProject(root, chosen.map(planPage))
})

it('every page does what it shows', async () => {
  const { code, stdout, stderr } = await runToEnd(
    'node_modules/.bin/vitest',
    ['run', '--root', root],
    repository,
  )
  expect(code, `${stdout}${stderr}`).toBe(0)
})

it('every module on a page has the types that it uses', async () => {
  const { stdout } = await runToEnd('node_modules/.bin/tsc', ['--project', root], repository)
  expect(listTypeErrors(stdout)).toEqual([])
})
