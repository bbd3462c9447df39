import { expect, it } from 'vitest'

import { assumptionMatrix, type ClientSuite } from '../../src/index.ts'

const calibration = {
  assumptions: { briefName: 'title' },
  verdicts: {
    'A-01': { verdict: 'confirmed', value: 'envelope', answers: 3, records: 0 },
    'A-21': { verdict: 'decided', value: 'title', answers: 1, records: 4 },
    'A-24': { verdict: 'undecided', answers: 0, records: 0 },
  },
}

const briefs = '/organizations/harbor/briefs?limit=1'

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
