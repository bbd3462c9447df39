import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { choiceNames, choices } from '../../src/contract/choices.ts'
import { defaultSettings } from '../../src/contract/settings.ts'
import type { OperationId, PartialSettings } from '../../src/index.ts'
import { type Answer, readHar, readResponse } from '../../src/lab/calibration/answers.ts'
import { calibrate } from '../../src/lab/calibration/calibrate.ts'
import { isFullScale } from '../reliability/figures.ts'
import { as, createJsonPost, home, openSandbox, type Page, tokens } from '../support.ts'

const sandbox = await openSandbox({ size: 60 })

/** The requests of a client that uses most of the service, some of them in error. Theo's team differs by its definition. */
const paths = [
  '/members/me',
  `${home}/members`,
  `${home}/automations`,
  `${home}/briefs`,
  `${home}/products`,
  `${home}/products/1/metrics`,
  `${home}/custom-fields`,
  `${home}/member-roles`,
  `${home}/note-categories`,
  `${home}/customers?limit=250`,
  `${home}/customers?scope=team&limit=250`,
  `${home}/customers?country=Germany,Ireland`,
  `${home}/customers?limit=0`,
  `${home}/customers?colour=red`,
  `${home}/signals?limit=250`,
  '/organizations/nowhere/members',
]

/** Records the traffic of a client of a tenant with other settings, as a browser does. */
async function record(assumptions: PartialSettings): Promise<readonly Answer[]> {
  const tenant = sandbox.session({ assumptions })
  const send = async (path: string, token: string, init: RequestInit = {}): Promise<void> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    await tenant.fetch(`http://localhost/v1${path}`, { ...init, headers })
  }
  for (const path of paths) await send(path, tokens.theo)
  const { customerStatuses = defaultSettings.customerStatuses } = assumptions
  const words = Array.isArray(customerStatuses) ? customerStatuses : Object.keys(customerStatuses)
  for (const word of words) await send(`${home}/customers?status=${word}`, tokens.theo)
  await send(`${home}/customers/1/notes`, tokens.theo, createJsonPost({ categoryId: 1, content: 'Called' }))
  await send(`${home}/customers/1`, tokens.theo)
  await send('/organizations/quill/customers/1000001', tokens.omar)
  // One of these customers is in Ireland, too.
  await send('/organizations/quill/customers', tokens.omar)
  await send(`${home}/customers/1000001`, tokens.theo)
  const har: unknown = JSON.parse(JSON.stringify(tenant.requests.har()))
  tenant.close()
  return readHar(har)
}

/** Calibrates from the bodies of some answers. */
const fromBodies = (...bodies: readonly (readonly [id: OperationId, body: unknown])[]) =>
  calibrate(bodies.map(([id, body]) => readResponse(id, body)))

it('confirms every setting in the recording of a tenant like the sandbox', async () => {
  const { verdicts, assumptions, unmodelled, contradicted } = calibrate(await record({}))
  expect(choiceNames.filter((name) => verdicts[name]?.verdict !== 'confirmed')).toEqual([])
  expect([assumptions, unmodelled, contradicted]).toEqual([{}, [], []])
})

const alternatives = choiceNames.flatMap((name) =>
  choices[name].alternatives.slice(1).map(({ value }) => ({ [name]: value })),
)

it.each(alternatives)('finds what a tenant answers under %j', async (assumptions) => {
  const answers = await record(assumptions)
  const found = calibrate(answers)
  expect(found.assumptions).toEqual(assumptions)
  expect(found.contradicted).toEqual(Object.keys(assumptions))
  expect(calibrate(answers, assumptions).contradicted).toEqual([])
})

it.runIf(isFullScale)('finds any combination of values', async () => {
  const values = choiceNames.map(
    (name) => [name, fc.constantFrom(...choices[name].alternatives.map(({ value }) => value))] as const,
  )
  const combination = fc.record(Object.fromEntries<fc.Arbitrary<unknown>>(values))
  const property = fc.asyncProperty(combination, async (settings) => {
    const { assumptions } = calibrate(await record(settings))
    expect({ ...defaultSettings, ...assumptions }).toEqual(settings)
  })
  await fc.assert(property, { numRuns: 100, seed: 28 })
})

const log = { id: 1, status: 'info', message: 'Sent', createdDate: '2026-01-15T12:00:00Z' }
const page = (...items: readonly object[]) => ({ items, totalCount: items.length })

it.each([
  ['decided', 'seconds', [log]],
  ['undecided', undefined, [{ ...log, createdDate: '' }]],
  ['otherwise', undefined, [{ ...log, createdDate: '15/01/2026' }]],
  ['contradictory', undefined, [log, { ...log, createdDate: '2026-01-15T12:00:00.000Z' }]],
])('judges timestamps as %s', (verdict, value, logs) => {
  const { verdicts } = calibrate(logs.map((one) => readResponse('listAutomationTriggerLogs', page(one))))
  expect(verdicts.timestamps).toMatchObject({ verdict, answers: verdict === 'undecided' ? 0 : logs.length })
  expect(verdicts.timestamps?.value).toBe(value)
})

it('contradicts itself if some lists without pagination have envelopes and others do not', () => {
  const alike = fromBodies(['listProducts', page()], ['listCustomFields', page()])
  expect(alike.verdicts.envelopes?.verdict).toBe('decided')
  const mixed = fromBodies(['listProducts', page()], ['listMembers', []])
  expect(mixed.verdicts.envelopes?.verdict).toBe('contradictory')
})

it('proposes unknown words of a status with their meanings, unless they may be values', async () => {
  const mara = as(sandbox, 'mara')
  const { items } = await mara.get<Page<{ status: string }>>(`${home}/signals?limit=250`)
  const withWords = (words: Readonly<Record<string, string>>) =>
    fromBodies(['listSignals', page(...items.map((one) => ({ ...one, status: words[one.status] })))])
  const { verdicts, assumptions } = withWords({
    open: 'NEW',
    inProgress: 'NEW',
    closed: 'WON',
    dismissed: 'LOST',
  })
  expect(verdicts.signalStatuses?.verdict).toBe('otherwise')
  expect(assumptions).toEqual({ signalStatuses: { LOST: 'dismissed', NEW: 'open', WON: 'closed' } })
  const values = withWords({ open: 'a@b.example', inProgress: 'x', closed: 'y', dismissed: 'z' })
  expect(values.assumptions).toEqual({})
})

it('knows that absent values are null from a member without a manager', () => {
  const { assumptions } = fromBodies([
    'listMembers',
    [
      { id: 1, managerId: 2 },
      { id: 2, managerId: null },
    ],
  ])
  expect(assumptions).toEqual({ absentValues: 'null' })
})

it('lists fields that the contract does not have, by path and type, without any value', () => {
  const product = { key: 'sails', owner: { mail: 'ann@example.com' } }
  const { unmodelled } = fromBodies(
    ['listProducts', [{ id: 1, key: 'sails', name: 'Sails', price: 9.5, 'ann@example.com': null }]],
    ['getCustomer', { id: 1, products: [product, { ...product, tags: [] }] }],
  )
  expect(unmodelled).toEqual([
    { operationId: 'getCustomer', field: 'products[].owner', type: 'object' },
    { operationId: 'getCustomer', field: 'products[].tags', type: 'array' },
    { operationId: 'listProducts', field: 'price', type: 'number' },
    { operationId: 'listProducts', field: '…', type: 'null' },
  ])
})

const entry = (url: string, body: unknown, status = 200) => ({
  request: { method: 'GET', url },
  response: { status, content: { text: JSON.stringify(body) } },
})

it.each([
  'https://api.example.com/v1',
  'https://example.com/gateway/crm/v7',
  'http://localhost:4500/_sandbox/sessions/a/v1',
])('recognises the operations below %s, and no others', (base) => {
  const urls = [
    `${base}/organizations/acme/briefs?limit=5`,
    `${base}/health`,
    'https://b.example/organizations/a/briefs',
  ]
  const answers = readHar({ log: { entries: [...urls, urls[0] ?? ''].map((url) => entry(url, [])) } })
  expect(answers.map(({ endpoint, query }) => [endpoint.id, query])).toEqual([
    ['listBriefs', { limit: '5' }],
    ['listBriefs', { limit: '5' }],
  ])
})

it.each([
  ['otherwise', 'NEW'],
  ['contradictory', 'open'],
])('judges words of a status as %s if %s is used, and open rejected', (verdict, status) => {
  const url = `https://api.example.com/v1${home}/signals`
  const entries = [entry(url, page({ id: 1, status })), entry(`${url}?status=open`, {}, 400)]
  const { verdicts } = calibrate(readHar({ log: { entries } }))
  expect(verdicts.signalStatuses).toMatchObject({ verdict, answers: 2 })
})

it('survives queries, bodies and records that no service should send', () => {
  const url = `https://api.example.com/v1${home}/customers`
  const bodies = [null, 1, 'x', [], [[]], {}, { items: 1 }, page(), { items: [null, []], totalCount: 2 }]
  const queries = ['', '?limit=x&limit=1', '?scope=team&scope=mine', '?country=a,b&__proto__=c', '?offset=-1']
  const entries = bodies.flatMap((body) =>
    queries.flatMap((query) => [200, 400, 500].map((status) => entry(`${url}${query}`, body, status))),
  )
  const { unmodelled } = calibrate(readHar({ log: { entries: [...entries, null, {}, { request: 1 }] } }))
  expect(unmodelled).toEqual([])
})
