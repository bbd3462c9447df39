import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { run, runAlone } from './command.ts'

/** Creates a folder with a config file that gives products another form. */
function folderWithShape(title: object): string {
  const folder = temporaryFolder()
  const product = { properties: { id: { type: 'integer' }, title }, required: ['id'] }
  writeFileSync(join(folder, 'workspace-sandbox.config.json'), JSON.stringify({ shapes: { product } }))
  return folder
}

it('prints the types of the shapes in the config file, or writes them to a file', async () => {
  const cwd = folderWithShape({ type: ['string', 'null'], 'x-from': 'name', description: 'The title */' })
  const { stdout } = await run(['types', '--assume', 'briefName=title'], { cwd })
  expect(stdout).toContain(`
/** The form of shapes.product. */
export interface Product {
  readonly id: number
  /** The title * / */
  readonly title?: string | null | undefined
}
`)
  expect(stdout).toContain(
    "/** The sandbox's own form. */\nexport interface Brief {\n  readonly id: number\n  readonly key: string\n  readonly title: string\n",
  )
  expect(await runAlone(['types', '--out', 'types.d.ts'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'Wrote types.d.ts.\n',
  })
  expect(readFileSync(join(cwd, 'types.d.ts'), 'utf8')).toContain('export interface Product {')
  const { code, stderr } = await run(['types', '--out', 'none/types.d.ts'], { cwd })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Cannot write none\/types\.d\.ts: .* Check --out\.\n$/),
  ])
})

it.each<[object, number, string]>([
  [
    { type: 'text' },
    2,
    'Cannot use shapes.product.properties.title.type in workspace-sandbox.config.json: it must be one or some of ',
  ],
  [
    { pattern: 'a' },
    2,
    'Cannot use shapes.product.properties.title.pattern in workspace-sandbox.config.json: it is a keyword that ',
  ],
  [
    { 'x-from': 'nam' },
    1,
    "shapes.product.properties.title.x-from: must be a field of the sandbox's own product (got nam). Did you mean name?",
  ],
])('rejects a shape in the config file by its place: %j', async (title, exitCode, message) => {
  const { code, stderr } = await run(['types'], { cwd: folderWithShape(title) })
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)])
})
