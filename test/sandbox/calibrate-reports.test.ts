import { expect, it } from 'vitest'

import { assumptionMatrix, type ClientSuite, createSandbox } from '../../src/index.ts'
import { as } from '../support.ts'

const calibration = {
  assumptions: { briefName: 'title' },
  verdicts: {
    'A-01': { verdict: 'confirmed', value: 'envelope', answers: 3, records: 0 },
    'A-21': { verdict: 'decided', value: 'title', answers: 1, records: 4 },
    'A-24': { verdict: 'undecided', answers: 0, records: 0 },
  },
}

const briefs = '/organizations/harbor/briefs?limit=1'

it('assumptions that a tenant has shown leave the guesses of a report, with their evidence', async () => {
  const sandbox = await createSandbox({ size: 'small', calibration })
  const collect = sandbox.collectAssumptions()
  await as(sandbox, 'mara').get(briefs)
  for (const report of [sandbox.requests.assumptions(), collect()]) {
    expect(report.assumptions.map(({ id }) => id)).toEqual(['A-03'])
    expect(report.observed).toMatchObject([
      { id: 'A-01', name: 'pages', value: 'envelope', count: 1, evidence: { answers: 3, records: 0 } },
      { id: 'A-21', name: 'briefName', value: 'title', count: 1, evidence: { answers: 1, records: 4 } },
    ])
  }
})

it('records with a learned shape leave the guesses of a report, too', async () => {
  const brief = { type: 'object', properties: { id: { type: 'integer' }, headline: { type: 'string' } } }
  const otherwise = { verdict: 'otherwise', observed: 'name: missing', answers: 1, records: 4 }
  const learned = { shapes: { brief }, verdicts: { 'A-21': otherwise } }
  const sandbox = await createSandbox({ size: 'small', calibration: learned })
  await as(sandbox, 'mara').get(briefs)
  const { assumptions, observed } = sandbox.requests.assumptions()
  expect(assumptions.map(({ id }) => id)).not.toContain('A-21')
  expect(observed).toMatchObject([{ id: 'A-21', evidence: { answers: 1, records: 4 } }])
})

it('an assumption that a session overrides is a guess again', async () => {
  const sandbox = await createSandbox({ size: 'small', calibration })
  const session = sandbox.session({ assumptions: { briefName: 'name' } })
  await as(session, 'mara').get(briefs)
  const { assumptions, observed } = session.requests.assumptions()
  expect(assumptions.map(({ id }) => id)).toEqual(['A-03', 'A-21'])
  expect(observed?.map(({ id }) => id)).toEqual(['A-01'])
})

it('a report without a calibration has no observations', async () => {
  const sandbox = await createSandbox({ size: 'small' })
  await as(sandbox, 'mara').get(briefs)
  expect(sandbox.requests.assumptions()).not.toHaveProperty('observed')
})

it('GET /_sandbox/assumptions lists the evidence of each value', async () => {
  const sandbox = await createSandbox({ size: 'small', calibration })
  const response = await sandbox.fetch('/_sandbox/assumptions')
  const all: { id: string; evidence?: unknown }[] = await response.json()
  expect(all.filter(({ evidence }) => evidence).map(({ id, evidence }) => [id, evidence])).toEqual([
    ['A-01', { answers: 3, records: 0 }],
    ['A-21', { answers: 1, records: 4 }],
  ])
})

/** A client that depends on the envelope of briefs, and on their titles. */
const suite: ClientSuite = async ({ fetch }) => {
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const { items } = await (await fetch(`/v1${briefs}`, { headers })).json()
  if (items[0].title === undefined) throw new Error('a brief without a title')
}

it('the matrix does not try alternatives of what a tenant has shown, unless they are named', async () => {
  const matrix = await assumptionMatrix(suite, { calibration })
  expect(matrix.observed).toEqual(['pages', 'briefName'])
  expect(matrix.dependsOn).toEqual([])
  expect(matrix.runs.some(({ name }) => name === 'pages')).toBe(false)
  const named = await assumptionMatrix(suite, { calibration, names: ['pages', 'briefName'] })
  expect(named.dependsOn).toEqual(['pages', 'briefName'])
})
