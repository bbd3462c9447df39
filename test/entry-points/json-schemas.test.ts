import { readFileSync } from 'node:fs'

import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'

import { parseFixtureFile } from '../../seed/fixtures/fixture-file.ts'
import { runAtOnce } from '../../src/core/slices.ts'
import { createSandbox } from '../../src/index.ts'
import { Config } from '../../src/node/server/options.ts'
import documents from './json-schemas.json' with { type: 'json' }

type Json = Readonly<Record<string, unknown>>

const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'))

/** Compiles a schema that the build has written. */
function compile(name: string) {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
  addFormats.default(ajv)
  return ajv.compile(read(`dist/${name}.schema.json`))
}

const validators = { config: compile('config'), fixture: compile('fixture') }

const readers = {
  config: (json: Json) => {
    // The command ignores the schema of a file.
    const { $schema: _, ...options } = json
    return Config.parse(options)
  },
  fixture: (json: Json) => runAtOnce(parseFixtureFile(json, 'example')),
}

/** Expects that the schema of a file accepts what the sandbox accepts. */
function expectAccepted(kind: keyof typeof readers, json: Json): void {
  const validate = validators[kind]
  expect(() => readers[kind](json)).not.toThrow()
  expect(validate(json), `${JSON.stringify(json).slice(0, 99)}: ${JSON.stringify(validate.errors)}`).toBe(
    true,
  )
}

interface Described {
  readonly description: string
  readonly examples: readonly unknown[]
}

for (const kind of ['config', 'fixture'] as const) {
  const { accepted, rejected } = documents[kind]

  it.each<Json>(accepted)(`${kind}.schema.json accepts %j, as the sandbox does`, (json) =>
    expectAccepted(kind, json),
  )

  it.each<Json>(rejected)(`${kind}.schema.json rejects %j, as the sandbox does`, (json) => {
    expect(() => readers[kind](json)).toThrow(Error)
    expect(validators[kind](json)).toBe(false)
  })

  it(`${kind}.schema.json gives examples as such, not in descriptions`, () => {
    expect(JSON.stringify(validators[kind].schema)).not.toContain('Example: ')
  })
}

it('config.schema.json describes every option with an example that both accept', () => {
  const { properties } = Object(read('dist/config.schema.json'))
  const { $schema: _, ...options } = properties
  // JSON has no functions.
  const { present: __, ...expected } = Config.shape
  expect(Object.keys(options).toSorted()).toEqual(Object.keys(expected).toSorted())
  for (const [name, { description, examples }] of Object.entries<Described>(options)) {
    expect(description, `about ${name}`).toMatch(/\.$/)
    expect(examples.length, `examples of ${name}`).toBeGreaterThan(0)
    for (const example of examples) expectAccepted('config', { [name]: example })
  }
  for (const [name, assumption] of Object.entries(properties.assumptions.properties)) {
    expect(assumption, `about ${name}`).toMatchObject({ description: expect.stringContaining('Default: ') })
  }
})

it.each(['default', 'edge-cases', 'empty'])('fixture.schema.json accepts the fixture %s', (name) =>
  expectAccepted('fixture', read(`fixtures/${name}.json`)),
)

it('fixture.schema.json accepts an exported dataset', async () => {
  const { dataset } = await createSandbox({ size: 3 })
  expectAccepted('fixture', JSON.parse(JSON.stringify(dataset.export())))
})
