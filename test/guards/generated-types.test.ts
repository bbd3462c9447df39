import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { generateTypes } from '../../src/node/schemas/generated-types.ts'

const generated = generateTypes()

if (process.env['TABLES'] === 'write') {
  for (const [path, text] of generated) writeFileSync(path, text)
  execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...generated.keys()])
}

/** Removes what the formatter decides. */
const normalize = (text: string): string => text.replaceAll(/[\s;,()|]+/g, ' ').trim()

it.each([...generated])('%s is generated from the schemas by `npm run tables`', (path, text) => {
  expect(existsSync(path)).toBe(true)
  expect(normalize(readFileSync(path, 'utf8'))).toBe(normalize(text))
})
