import { readFileSync } from 'node:fs'

import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'

import { parseFixtureFile } from '../../seed/fixtures/fixture-file.ts'
import { runAtOnce } from '../../src/core/slices.ts'
import { createSandbox } from '../../src/index.ts'
import { Config } from '../../src/node/server/options.ts'

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** Compiles a schema that the build has written. */
function compile(name: string) {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
  addFormats.default(ajv)
  return ajv.compile(Object(read(`dist/${name}.schema.json`)))
}

const validators = { config: compile('config'), fixture: compile('fixture') }

const readers = {
  config: (json: unknown) => Config.parse(json),
  fixture: (json: unknown) => runAtOnce(parseFixtureFile(json, 'example')),
}

/** Expects that the schema of a file accepts what the sandbox accepts. */
function expectAccepted(kind: keyof typeof readers, json: unknown): void {
  const validate = validators[kind]
  expect(() => readers[kind](json)).not.toThrow()
  expect(validate(json), `${JSON.stringify(json).slice(0, 99)}: ${JSON.stringify(validate.errors)}`).toBe(
    true,
  )
}

function expectRejected(kind: keyof typeof readers, json: unknown): void {
  expect(() => readers[kind](json)).toThrow()
  expect(validators[kind](json)).toBe(false)
}

interface Described {
  readonly description: string
  readonly examples: readonly unknown[]
}

describe('config.schema.json', () => {
  it.each([
    {},
    { size: 'small', now: 'system', sessionTtl: 0.5 },
    { assumptions: { errorFormat: 'message', violationStatus: 422, envelopes: 'all' } },
    {
      assumptions: {
        signalStatuses: ['OPEN', 'IN_PROGRESS', 'CLOSED', 'DISMISSED'],
        customerStatuses: { LIVE: 'active', LOST: 'churned' },
      },
    },
  ])('accepts %j, as the command does', (config) => {
    expectAccepted('config', config)
    expect(validators.config({ $schema: './config.schema.json', ...config })).toBe(true)
  })

  it.each([
    { prot: 4500 },
    { port: '4500' },
    { size: 'huge' },
    { seed: 1.5 },
    { now: 'yesterday' },
    { allowHost: 'sandbox.test' },
    { assumptions: { errorFormats: 'message' } },
    { assumptions: { errorFormat: 'xml' } },
    { assumptions: { envelopes: 'some' } },
    { assumptions: { signalStatuses: ['OPEN', 'DONE'] } },
    { assumptions: { signalStatuses: { OPEN: 'opened' } } },
  ])('rejects %j, as the command does', (config) => expectRejected('config', config))

  it('describes every option with an example that both accept', () => {
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
})

describe('fixture.schema.json', () => {
  it.each(['default', 'edge-cases', 'empty'])('accepts the fixture %s', (name) =>
    expectAccepted('fixture', read(`fixtures/${name}.json`)),
  )

  it('accepts an exported dataset', async () => {
    const { dataset } = await createSandbox({ size: 3 })
    expectAccepted('fixture', JSON.parse(JSON.stringify(dataset.export())))
  })

  it.each([
    {},
    { $schema: './fixture.schema.json', extends: null, generated: false, about: 'Nothing' },
    { customers: [{ id: 900, name: 'Tern & Co', segment: 'Enterprise' }] },
    { meetings: [{ id: 90_000, repeat: 250, customerId: 1, about: 'many', startDate: 'now-12d' }] },
    { timeline: [{ at: 'now+1d', notes: [{ id: 1, updatedDate: 'now+2d' }] }] },
    {
      customers: [
        {
          id: 900,
          products: [
            {
              key: 'a',
              status: 'active',
              arr: 1,
              renewalDate: 'now+40d',
              engagement: { level: 'high' },
              upsell: { level: 'low' },
              metrics: [],
            },
          ],
        },
      ],
    },
  ])('accepts %j, as the sandbox does', (json) => expectAccepted('fixture', json))

  it.each([
    { customer: [] },
    { customers: [{ name: 'Tern & Co' }] },
    { customers: [{ id: 900, nmae: 'Tern & Co' }] },
    { signals: [{ id: 900, status: 'opened' }] },
    { signals: [{ id: 900, createdDate: 'yesterday' }] },
    { madeWith: { sead: 1 } },
  ])('rejects %j, as the sandbox does', (json) => expectRejected('fixture', json))
})
