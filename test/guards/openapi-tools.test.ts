import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'

import type { Choice } from '../../src/contract/choice.ts'
import { choices } from '../../src/contract/choices.ts'
import { temporaryFolder } from '../folders.ts'
import { as, openSandbox, createJsonPost } from '../support.ts'

interface Content {
  readonly 'application/json': {
    readonly examples: { readonly answered: { summary: string; value: unknown } }
  }
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const sandbox = await openSandbox()

/** Every assumption, set to its second value. */
const overrides = Object.fromEntries(
  Object.entries<Choice>(choices).map(([name, { alternatives }]) => [name, alternatives[1]?.value]),
)

/** Runs a tool and returns its output. */
function run(tool: string, ...args: readonly string[]): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return execFileSync(process.execPath, [tool, ...args], { encoding: 'utf8', stdio: 'pipe', env })
}

/** Writes a document to a file. */
function write(text: string): string {
  const file = join(temporaryFolder(), 'openapi.json')
  writeFileSync(file, text)
  return file
}

/** Fetches a document in a session of its own. */
async function fetchDocument(path: string, assumptions = {}) {
  const response = await sandbox.session({ assumptions }).fetch(new Request(`http://sandbox${path}`))
  const text = await response.text()
  const document: Document = JSON.parse(text)
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
  const output = run('node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=json', ...files)
  // One report follows the other.
  const reports: unknown[] = JSON.parse(`[${output.replaceAll(/^\}\s*\{/gm, '},{')}]`)
  const sound = { totals: { errors: 0, warnings: 0 }, problems: [] }
  expect(reports).toMatchObject(files.map(() => sound))
})

describe.each(documents)('the OpenAPI document of %s', async (_, path, assumptions) => {
  const { text, document } = await fetchDocument(path, assumptions)

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(text))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('has no dangling references', async () => {
    const { paths } = await SwaggerParser.validate(JSON.parse(text))
    expect(Object.keys(paths ?? {})).toEqual(Object.keys(document.paths))
  })

  it('passes the rules of Spectral', async () => {
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [oas as RulesetDefinition] })
    expect(await spectral.run(text)).toEqual([])
  })

  it('is small enough to be read', () => {
    expect(JSON.stringify(document, null, 2).length).toBeLessThan(360_000)
  })
})

describe.each([
  ['by default', {}],
  ['with every assumption overridden', overrides],
])('the OpenAPI document of the service %s', async (_, assumptions) => {
  const { text, document } = await fetchDocument('/openapi.json', assumptions)
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

  it('gives everything in a generated client a type, except the two values of any type', () => {
    const folder = temporaryFolder()
    const client = join(folder, 'client.d.ts')
    const tool = '.ci/client-types/node_modules/openapi-typescript/bin/cli.js'
    run(tool, write(text), '--output', client)
    const lines = readFileSync(client, 'utf8').split('\n')
    const isHeaders = (place: number) => lines[place - 1]?.trim() === 'headers: {'
    const unknown = lines.filter(
      (line, place) => /\b(?:unknown|any|never\[\])\b/.test(line.replace(/\/?\*.*/, '')) && !isHeaders(place),
    )
    expect(unknown.map((line) => line.trim())).toEqual(['value: unknown;', 'value: unknown;'])
  })

  it('shows a response of this dataset for each operation', async () => {
    for (const { operationId, requestBody, responses } of operations) {
      const [status = '', success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
      const { summary = '', value } = success?.content['application/json'].examples.answered ?? {}
      const body = requestBody?.content['application/json'].examples.answered.value
      const client = as(sandbox.session({ assumptions }), 'mara')
      const response = await client.send(
        summary.replace(/^\w+ /, ''),
        body === undefined ? {} : createJsonPost(body),
      )
      expect(`${response.status}`, `status of ${operationId}`).toBe(status)
      expect(await response.json(), `response of ${operationId}`).toEqual(value)
    }
    expect(operations).toHaveLength(22)
  })
})
