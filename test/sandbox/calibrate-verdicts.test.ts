import { expect, it } from 'vitest'

import { calibrate } from '../../src/calibration/calibrate.ts'
import { formatResult } from '../../src/calibration/format.ts'
import { readHar, readResponseFile } from '../../src/calibration/har.ts'
import { createSandbox, type OperationId } from '../../src/index.ts'
import { as, type Page } from '../support.ts'

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** Calibrates from the bodies of some answers. */
const fromBodies = (...bodies: readonly (readonly [id: OperationId, body: unknown])[]) =>
  calibrate(bodies.map(([id, body]) => readResponseFile(id, encode(body))))

/** Calibrates from a recording of GET requests, by their paths. */
function fromPaths(bodies: Readonly<Record<string, unknown>>, base = 'https://api.example.com/v1') {
  const entries = Object.entries(bodies).map(([path, body]) => createEntry(`${base}${path}`, body))
  return calibrate(readHar(encode({ log: { entries } })).answers)
}

const createEntry = (url: string, body: unknown) => ({
  request: { method: 'GET', url },
  response: { status: 200, content: { text: JSON.stringify(body) } },
})

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
  const both = fromBodies(['listBriefs', [{ ...brief, ...titled }]], ['listCustomerNotes', [note]])
  const unseen = { verdict: 'undecided', answers: 0, records: 0 }
  expect([both.verdicts.briefName, both.verdicts.order]).toEqual([unseen, unseen])
  expect(both.verdicts.noteText).toEqual({ verdict: 'undecided', answers: 1, records: 1 })
  // A file with one record shows nothing of pages.
  const { verdicts } = fromBodies(['listBriefs', titled])
  expect([verdicts.briefName.value, verdicts.pages]).toEqual(['title', unseen])
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

it.each([
  'https://api.example.com/v1',
  'https://example.com/gateway/crm/v7',
  'http://localhost:4500/_sandbox/sessions/a/v1',
])('recognises the operations below %s', (base) => {
  const { verdicts } = fromPaths({ '/organizations/acme/briefs?limit=5': [titled] }, base)
  expect(verdicts.briefName.value).toBe('title')
})

it('reads only the service that a recording has most of', () => {
  const entries = ['a', 'a', 'b'].map((host) =>
    createEntry(`https://${host}.example/v1/organizations/acme/briefs`, [host === 'b' ? brief : titled]),
  )
  const { answers, others } = readHar(encode({ log: { entries } }))
  expect([answers.length, others]).toEqual([2, 1])
})

/** Puts records into the page of a list. */
const page = (...items: readonly object[]) => ({ items, totalCount: items.length })

/** Reads the signals of a sandbox. */
async function readSignals() {
  const mara = as(await createSandbox({ size: 'small' }), 'mara')
  const { items } = await mara.get<Page<{ status: string; type: object }>>(
    '/organizations/harbor/signals?limit=250',
  )
  return items
}

it('says of every assumption without a setting what answers show of it, or why they cannot', async () => {
  const signals = await readSignals()
  const other = { ...signals[0], severity: 9, type: { ...signals[0]?.type, color: 'red' } }
  const [newer, older] = [15, 14].map((day) => ({ id: day, createdDate: `2026-01-${day}T12:00:00.000Z` }))
  const customer = { id: 1, country: 'DE', customFields: [{ key: 'a', value: null }] }
  const result = fromBodies(
    ['listAutomationTriggerLogs', page({ ...newer }, { ...older })],
    ['listAutomationTriggerLogs', page({ ...older }, { ...newer })],
    ['listSignals', page(...signals)],
    ['listSignals', page(other)],
    ['listCustomers', page(customer)],
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
  const products = [3, 1, 2].map((id, at) => ({ id, key: 'abc'[at], name: 'ABC'[at] }))
  const order = { verdict: 'otherwise', observed: 'by key, ascending' }
  expect(fromBodies(['listProducts', products]).verdicts).toMatchObject({ order })
})

it('decides envelopes for each list by itself', () => {
  const { calibration } = fromBodies(
    ['listProducts', page()],
    ['listMembers', []],
    ['listCustomFields', page()],
  )
  expect(calibration.assumptions).toEqual({ envelopes: { listCustomFields: true, listProducts: true } })
})

/** A signal as the document shows it, except its status. */
async function listSignals(words: Readonly<Record<string, string>>): Promise<unknown> {
  return page(...(await readSignals()).map((one) => ({ ...one, status: words[one.status] })))
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
  const text = expect.any(String)
  const learned = { id: 1, key: text, title: text, description: text, owner: expect.stringContaining('@') }
  expect(await read({})).toEqual(expect.arrayContaining([learned]))
  expect(await read({ assumptions: { pages: 'envelope' } })).toMatchObject({ items: expect.any(Array) })
})

it('rejects a calibration that is none, by the place', async () => {
  const calibration = { assumptions: { pages: 'pile' } }
  await expect(createSandbox({ calibration })).rejects.toThrow('calibration.assumptions.pages')
})

it('reports fields, words and nulls that nothing decides', () => {
  const log = { id: 1, status: 'skipped', message: null, createdDate: '2026-01-15T12:00:00.000Z' }
  const name = { firstName: 'Ann', lastName: 'Lee', email: 'a@b.example' }
  const member = { id: 1, ...name, organizationId: 'acme', managerId: null, title: 'CSM' }
  const { calibration } = fromBodies(
    ['listAutomationTriggerLogs', { ...page(log), next: 2 }],
    ['getMember', member],
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
    [home]: page(customer),
    [`${home}?updatedSince=2026-01-15T12:00:00.000Z`]: page(),
    [`${home}?limit=1`]: page(customer, { ...customer, id: 2 }),
    [`${home}?limit=900`]: page(customer),
  })
  expect(findings.filter(({ path }) => /limit|updatedSince/.test(path))).toEqual([
    { operation: 'listCustomers', path: 'limit', observed: 'accepted, although it is invalid', answers: 1 },
    { operation: 'listCustomers', path: 'limit', observed: 'more records than the limit', answers: 1 },
    { operation: 'listCustomers', path: 'updatedSince', observed: 'excludes the instant itself', answers: 1 },
  ])
})
