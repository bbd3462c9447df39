import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'

import { folderWith } from '../folders.ts'
import { openSandbox, overrides } from '../support.ts'

const sandbox = await openSandbox()

/** Runs a tool and returns its output. */
function run(tool: string, ...args: readonly string[]): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return execFileSync(process.execPath, [tool, ...args], { encoding: 'utf8', stdio: 'pipe', env })
}

/** Writes a document to a file. */
const write = (text: string): string => join(folderWith({ 'openapi.json': text }), 'openapi.json')

/** Fetches a document in a session of its own. */
async function fetchDocument(path: string, assumptions = {}) {
  const response = await sandbox.session({ assumptions }).fetch(new Request(`http://sandbox${path}`))
  const text = await response.text()
  const document: object = JSON.parse(text)
  return { text, document }
}

const documents = [
  ['the service', '/openapi.json', {}],
  ['the service with every assumption overridden', '/openapi.json', overrides],
  ['the control plane', '/_sandbox/openapi.json', {}],
] as const

it('passes the rules of Redocly, as each OpenAPI document does', async () => {
  const texts = await Promise.all(documents.map(([, path, given]) => fetchDocument(path, given)))
  const files = texts.map(({ text }) => write(text))
  const output = run('.ci/node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=json', ...files)
  // One report follows the other.
  const reports: unknown[] = JSON.parse(`[${output.replaceAll(/^\}\s*\{/gm, '},{')}]`)
  const sound = { totals: { errors: 0, warnings: 0 }, problems: [] }
  expect(reports).toMatchObject(files.map(() => sound))
})

it.each(documents)('the OpenAPI document of %s is valid, and small enough to be read', async (...given) => {
  const [, path, assumptions] = given
  const { text, document } = await fetchDocument(path, assumptions)
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(text))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(JSON.stringify(document, null, 2).length).toBeLessThan(360_000)
})

/** Generates the types of a client, as `openapi-typescript` does on the command line. */
async function generateClient(document: string): Promise<string> {
  const tool = pathToFileURL(resolve('.ci/node_modules/openapi-typescript/dist/index.mjs')).href
  const { astToString, default: generate } = await import(/* @vite-ignore */ tool)
  return astToString(await generate(document))
}

it.each(documents.slice(0, 2))(
  'gives everything in a generated client of %s a type, except the two values of any type',
  async (...given) => {
    const [, path, assumptions] = given
    const lines = (await generateClient((await fetchDocument(path, assumptions)).text)).split('\n')
    const isHeaders = (place: number) => lines[place - 1]?.trim() === 'headers: {'
    const unknown = lines.filter(
      (line, place) => /\b(?:unknown|any|never\[\])\b/.test(line.replace(/\/?\*.*/, '')) && !isHeaders(place),
    )
    expect(unknown.map((line) => line.trim())).toEqual(['value: unknown;', 'value: unknown;'])
  },
)
