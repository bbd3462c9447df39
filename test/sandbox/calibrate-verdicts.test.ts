import { expect, it } from 'vitest'

import { calibrate } from '../../src/calibration/calibrate.ts'
import { formatResult } from '../../src/calibration/format.ts'
import { readHar, readResponseFile } from '../../src/calibration/har.ts'
import { createSandbox, type OperationId } from '../../src/index.ts'
import { as } from '../support.ts'

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** Calibrates from the bodies of some answers. */
const fromBodies = (...bodies: readonly (readonly [id: OperationId, body: unknown])[]) =>
  calibrate(bodies.map(([id, body]) => readResponseFile(id, encode(body))))

/** Calibrates from a recording of GET requests, by their paths. */
function fromPaths(bodies: Readonly<Record<string, unknown>>, base = 'https://api.example.com/v1') {
  const entries = Object.entries(bodies).map(([path, body]) => {
    const { status = 200, json = body }: { status?: number; json?: unknown } = Object(body)
    return {
      request: { method: 'GET', url: `${base}${path}` },
      response: { status, content: { text: JSON.stringify(json) } },
    }
  })
  return calibrate(readHar(encode({ log: { entries } })).answers)
}

const brief = { id: 1, key: 'handover', name: 'Handover', description: 'For the next owner' }
const titled = { id: 1, key: 'handover', title: 'Handover', description: 'For the next owner' }

it('confirms an assumption if only the default fits', () => {
  const { verdicts, calibration } = fromBodies(['listBriefs', { items: [brief, brief], totalCount: 2 }])
  expect(verdicts.briefName).toEqual({ verdict: 'confirmed', value: 'name', answers: 1, records: 2 })
  expect(verdicts.pages).toEqual({ verdict: 'confirmed', value: 'envelope', answers: 1, records: 0 })
  expect(calibration).toMatchObject({ assumptions: {}, shapes: {} })
})

it('decides an assumption if only another alternative fits', () => {
  const { verdicts, calibration } = fromBodies(['listBriefs', [titled]])
  expect(verdicts.briefName).toEqual({ verdict: 'decided', value: 'title', answers: 1, records: 1 })
  expect(calibration.assumptions).toEqual({ pages: 'array', briefName: 'title' })
})

it('leaves an assumption undecided if several alternatives fit, or if nothing was seen', () => {
  const note = { id: 1, text: 'Called them', body: 'Called them' }
  const { verdicts } = fromBodies(['listBriefs', [{ ...brief, ...titled }]], ['listCustomerNotes', [note]])
  const unseen = { verdict: 'undecided', answers: 0, records: 0 }
  expect([verdicts.briefName, verdicts.order]).toEqual([unseen, unseen])
  expect(verdicts.noteText).toEqual({ verdict: 'undecided', answers: 1, records: 1 })
})

it('describes by field path and type what no alternative fits', () => {
  const { verdicts } = fromBodies([
    'listCustomerNotes',
    [{ id: 1, customerId: 2, createdDate: '15/01/2026 12:00', note: 'Called them' }],
  ])
  expect(verdicts.timestamps).toMatchObject({ verdict: 'otherwise', observed: 'createdDate: string' })
  expect(verdicts.noteText).toMatchObject({
    verdict: 'otherwise',
    observed: 'content: missing; note: an extra field, string',
  })
})

it('reports answers that contradict each other', () => {
  const { verdicts, calibration } = fromBodies(['listBriefs', [brief]], ['listBriefs', [titled]])
  expect(verdicts.briefName).toEqual({ verdict: 'contradictory', answers: 2, records: 2 })
  expect(calibration.assumptions).toEqual({ pages: 'array' })
})

it('says that something that was seen once is weak', () => {
  expect(formatResult(fromBodies(['listBriefs', [brief]])).join('\n')).toMatch(/A-21 .*weak: seen once/)
  expect(formatResult(fromBodies(['listBriefs', [brief, brief]])).join('\n')).not.toMatch(/A-21 .*weak/)
})

it('takes a file with one record for what it is', () => {
  const { verdicts } = fromBodies(['listBriefs', titled])
  expect(verdicts.briefName.value).toBe('title')
  expect(verdicts.pages).toEqual({ verdict: 'undecided', answers: 0, records: 0 })
})

it.each([
  'https://api.example.com/v1',
  'https://example.com/gateway/crm/v7',
  'http://localhost:4500/_sandbox/sessions/a/v1',
])('recognises the operations below %s', (base) => {
  expect(fromPaths({ '/organizations/acme/briefs?limit=5': [titled] }, base).verdicts.briefName.value).toBe(
    'title',
  )
})

it('reads only the service that a recording has most of', () => {
  const entries = ['https://a.example/v1', 'https://a.example/v1', 'https://b.example/v1'].map(
    (base, at) => ({
      request: { method: 'GET', url: `${base}/organizations/acme/briefs` },
      response: { status: 200, content: { text: JSON.stringify([at === 2 ? brief : titled]) } },
    }),
  )
  const { answers, others } = readHar(encode({ log: { entries } }))
  expect([answers.length, others]).toEqual([2, 1])
})

it('says of every assumption without a setting what answers show of it, or why they cannot', async () => {
  const sandbox = await createSandbox({ size: 'small' })
  const { items } = await as(sandbox, 'mara').get<{ items: { type: object }[] }>(
    '/organizations/harbor/signals?limit=250',
  )
  const [first] = items
  const other = { ...first, severity: 9, type: { ...first?.type, color: 'red' } }
  const logs = ['2026-01-15T12:00:00.000Z', '2026-01-14T12:00:00.000Z'].map((createdDate, id) => ({
    id,
    createdDate,
  }))
  const result = fromBodies(
    ['listAutomationTriggerLogs', { items: logs, totalCount: 2 }],
    ['listAutomationTriggerLogs', { items: logs.toReversed(), totalCount: 2 }],
    ['listSignals', { items, totalCount: items.length }],
    ['listSignals', { items: [other], totalCount: 1 }],
    [
      'listCustomers',
      { items: [{ id: 1, country: 'DE', customFields: [{ key: 'a', value: null }] }], totalCount: 1 },
    ],
  )
  const observed = Object.fromEntries(result.fixed.map(({ id, observed: fact }) => [id, fact]))
  expect(observed).toEqual({
    'A-31': 'not observable: answers do not show how a token is obtained',
    'A-36': 'nothing seen',
    'A-38': 'not observable: records do not show whether they are active',
    'A-40': 'not observable: answers do not show what the service compares updatedSince to',
    'A-42': 'otherwise: not newest first in 1 answer',
    'A-43': 'not observable: answers show only what the caller may see',
    'A-44': 'otherwise: other values in 1 answer',
    'A-45': 'not observable: no field has a currency',
    'A-46': 'otherwise: codes of countries in 1 answer',
    'A-47': 'as assumed: drafts of signals are listed',
    'A-48': 'as assumed: null for a field or metric without a value',
    'A-49': 'otherwise: colors of another form in 1 answer',
  })
  const text = formatResult(result).join('\n')
  for (const id of Object.keys(observed))
    expect(text).toMatch(new RegExp(`^ {2}${id} .*${observed[id]}`, 'm'))
})

it('finds another order, and names the field', () => {
  const products = [
    { id: 3, key: 'a', name: 'A' },
    { id: 1, key: 'b', name: 'B' },
    { id: 2, key: 'c', name: 'C' },
  ]
  expect(fromBodies(['listProducts', products]).verdicts.order).toMatchObject({
    verdict: 'otherwise',
    observed: 'by key, ascending',
  })
})

it('decides envelopes for each list by itself', () => {
  const { calibration } = fromBodies(
    ['listProducts', { items: [], totalCount: 0 }],
    ['listMembers', []],
    ['listCustomFields', { items: [], totalCount: 0 }],
  )
  expect(calibration.assumptions).toEqual({ envelopes: { listCustomFields: true, listProducts: true } })
})

/** A signal as the document shows it, except its status. */
async function listSignals(words: Readonly<Record<string, string>>): Promise<unknown> {
  const { items } = await as(await createSandbox({ size: 'small' }), 'mara').get<{
    items: { status: string }[]
  }>('/organizations/harbor/signals?limit=250')
  return { items: items.map((one) => ({ ...one, status: words[one.status] })), totalCount: items.length }
}

it('takes over unknown status words with their meanings, and says that there may be more', async () => {
  const words = { open: 'NEW', inProgress: 'NEW', closed: 'WON', dismissed: 'DROPPED' }
  const result = fromBodies(['listSignals', await listSignals(words)])
  expect(result.verdicts.signalStatuses).toMatchObject({ verdict: 'otherwise' })
  expect(result.calibration.assumptions).toEqual({
    signalStatuses: { DROPPED: 'dismissed', NEW: 'open', WON: 'closed' },
  })
  expect(result.words).toEqual({ signalStatuses: ['DROPPED', 'NEW', 'WON'] })
})

it('does not take some of the words for all of them', async () => {
  const words = { open: 'OPEN', inProgress: 'OPEN', closed: 'OPEN', dismissed: 'OPEN' }
  const { calibration } = fromBodies(['listSignals', await listSignals(words)])
  expect(calibration.assumptions?.signalStatuses).toEqual(['OPEN', 'IN_PROGRESS', 'CLOSED', 'DISMISSED'])
})

it('proposes the shape of records with other fields, without any of their values', () => {
  const { calibration } = fromBodies([
    'listProducts',
    [
      { id: 7, slug: 'sails', title: 'Sails', price: 9.5, owner: { email: 'ann@example.com' }, tags: ['x'] },
      { id: 8, slug: 'ropes', title: 'Ropes', price: 3, owner: null, createdAt: '2026-01-15T12:00:00Z' },
    ],
  ])
  expect(calibration.shapes).toEqual({
    product: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        slug: { type: 'string', 'x-from': 'key' },
        title: { type: 'string', 'x-from': 'name' },
        price: { type: 'number' },
        owner: {
          type: ['null', 'object'],
          properties: { email: { type: 'string', format: 'email' } },
          required: ['email'],
        },
        tags: { type: 'array', items: { type: 'string' } },
        createdAt: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'slug', 'title', 'price', 'owner'],
    },
  })
})

it('a sandbox takes the observations of a calibration, which its own options override', async () => {
  const { calibration } = fromBodies(['listBriefs', [{ ...titled, owner: 'ann@example.com' }]])
  const read = async (options: object): Promise<unknown> => {
    const sandbox = await createSandbox({ size: 'small', calibration, ...options })
    return as(sandbox, 'mara').get('/organizations/harbor/briefs')
  }
  expect(await read({})).toEqual(
    expect.arrayContaining([
      {
        id: 1,
        key: expect.any(String),
        title: expect.any(String),
        description: expect.any(String),
        owner: expect.stringContaining('@'),
      },
    ]),
  )
  expect(await read({ assumptions: { pages: 'envelope' } })).toMatchObject({ items: expect.any(Array) })
})

it('rejects a calibration that is none, by the place', async () => {
  const calibration = { assumptions: { pages: 'pile' } }
  await expect(createSandbox({ calibration })).rejects.toThrow('calibration.assumptions.pages')
})

it('reports fields, words and nulls that nothing decides', async () => {
  const { calibration } = fromBodies(
    [
      'listAutomationTriggerLogs',
      {
        items: [{ id: 1, status: 'skipped', message: null, createdDate: '2026-01-15T12:00:00.000Z' }],
        totalCount: 1,
        next: 2,
      },
    ],
    [
      'getMember',
      {
        id: 1,
        firstName: 'Ann',
        lastName: 'Lee',
        email: 'a@b.example',
        organizationId: 'acme',
        managerId: null,
        title: 'CSM',
      },
    ],
  )
  expect(calibration.unmodelled).toEqual([
    { operation: 'getMember', path: 'managerId', observed: 'null', answers: 1 },
    { operation: 'getMember', path: 'title', observed: 'an extra field, string', answers: 1 },
    { operation: 'listAutomationTriggerLogs', path: 'message', observed: 'null', answers: 1 },
    { operation: 'listAutomationTriggerLogs', path: 'next', observed: 'an extra field, integer', answers: 1 },
    { operation: 'listAutomationTriggerLogs', path: 'status', observed: 'another word', answers: 1 },
  ])
})

it('reports limits and boundaries that are not as documented', () => {
  const customer = { id: 1, updatedDate: '2026-01-15T12:00:00.000Z' }
  const home = '/organizations/acme/customers'
  const { findings } = fromPaths({
    [home]: { items: [customer], totalCount: 1 },
    [`${home}?updatedSince=2026-01-15T12:00:00.000Z`]: { items: [], totalCount: 0 },
    [`${home}?limit=1`]: { items: [customer, { ...customer, id: 2 }], totalCount: 2 },
    [`${home}?limit=900`]: { items: [customer], totalCount: 1 },
  })
  expect(findings.filter(({ path }) => /limit|updatedSince/.test(path))).toEqual([
    { operation: 'listCustomers', path: 'limit', observed: 'accepted, although it is invalid', answers: 1 },
    { operation: 'listCustomers', path: 'limit', observed: 'more records than the limit', answers: 1 },
    { operation: 'listCustomers', path: 'updatedSince', observed: 'excludes the instant itself', answers: 1 },
  ])
})
