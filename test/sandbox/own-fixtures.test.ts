import { expect, it } from 'vitest'

import { SandboxError } from '../../src/index.ts'
import { generated, rowsOf } from '../data/generated.ts'

/** Returns what is wrong with a fixture with the name two-teams, without the beginning of the message. */
function refusal(fixture: unknown): string {
  try {
    rowsOf({ fixture })
  } catch (error) {
    const [, reason] = /^Cannot load fixture two-teams: (.*)$/s.exec(String(Object(error).message)) ?? []
    if (error instanceof SandboxError && error.code === 'invalid_request' && reason !== undefined)
      return reason
    throw error
  }
  return 'not refused'
}

it('a fixture extends default unless it says so', () => {
  const { customers } = rowsOf({ fixture: { customers: [{ id: 1, city: 'Leipzig' }] } })
  expect(customers[0]).toMatchObject({ name: 'Larkspur Foods', city: 'Leipzig' })
  expect(customers[1]).toMatchObject({ name: 'Tidewater Clinics' })
})

it('a fixture can extend empty, and have only customers of its own', () => {
  const rows = rowsOf({ fixture: { extends: 'empty', customers: [{ id: 12, name: 'Only One' }] } })
  expect(rows.customers.map(({ name }) => name)).toEqual(['Only One'])
  expect(rows.signals).toEqual([])
})

it('a fixture can turn off generated customers, and keep those of the fixture it extends', () => {
  const rows = rowsOf({ fixture: { generated: false } })
  expect(rows.customers.map(({ id }) => id)).toEqual([1, 2, 3, 1_000_001, 1_000_002])
})

it('a fixture can define its own organizations', () => {
  const { organizations, rows } = generated({
    fixture: { extends: null, generated: true, organizations: [{ id: 'acme', name: 'Acme Tools' }] },
  })
  expect(organizations).toEqual([{ id: 'acme', name: 'Acme Tools' }])
  expect(rows.customers).toHaveLength(25)
  expect(rows.members[0]?.email).toMatch(/@acmetools\.example$/)
})

it('missing fields of a record are generated', () => {
  const fixture = { signals: [{ id: 6, customerId: 1, status: 'closed', about: 'what the tests close' }] }
  const signal = rowsOf({ fixture }).signals.find(({ id }) => id === 6)
  expect(signal).toMatchObject({ customerId: 1, status: 'closed', organizationId: 'harbor' })
  expect(signal?.closedDate).not.toBeNull()
  expect(signal).not.toHaveProperty('about')
})

it('a customer of a fixture has only the records that the fixture gives it', () => {
  const { signals, meetings, notes } = rowsOf({
    fixture: { customers: [{ id: 9 }], notes: [{ id: 65, customerId: 9 }] },
  })
  const own = [signals, meetings, notes].map(
    (rows) => rows.filter(({ customerId }) => customerId === 9).length,
  )
  expect(own).toEqual([0, 0, 1])
})

it('a record with a generated id replaces fields of the generated record', () => {
  const before = rowsOf({}).signals.find(({ customerId }) => customerId === 12)
  const fixture = { signals: [{ id: before?.id, severity: 5, opportunity: 'Mine' }] }
  const after = rowsOf({ fixture }).signals.find(({ id }) => id === before?.id)
  expect(after).toEqual({ ...before, severity: 5, opportunity: 'Mine' })
})

it('`repeat` repeats a record with ascending ids', () => {
  const fixture = { notes: [{ id: 5001, customerId: 1, repeat: 3, content: 'Again' }] }
  const notes = rowsOf({ fixture }).notes.filter(({ content }) => content === 'Again')
  expect(notes.map(({ id }) => id)).toEqual([5001, 5002, 5003])
})

it('times can be relative to now', () => {
  const level = { level: 'low' }
  const product = { key: 'alerts', status: 'active', arr: 1, engagement: level, upsell: level, metrics: [] }
  const dates = { startDate: 'now-1d', endDate: 'now-23h30m', createdDate: 'now-2d' }
  const fixture = {
    meetings: [{ id: 7, customerId: 1, ...dates }],
    customers: [{ id: 1, updatedDate: 'now', products: [{ ...product, renewalDate: 'now+10d' }] }],
  }
  const { meetings, customers } = rowsOf({ fixture, now: '2030-05-05T05:00:00.000Z' })
  expect(meetings.find(({ id }) => id === 7)).toMatchObject({
    startDate: '2030-05-04T05:00:00.000Z',
    endDate: '2030-05-04T05:30:00.000Z',
    createdDate: '2030-05-03T05:00:00.000Z',
  })
  expect(customers[0]).toMatchObject({
    updatedDate: '2030-05-05T05:00:00.000Z',
    products: [{ renewalDate: '2030-05-15' }],
  })
})

const ofOne = (customer: object) => ({ customers: [{ id: 1, ...customer }] })
const csm = (...memberIds: readonly number[]) => ofOne({ memberRoles: [{ key: 'csm', memberIds }] })
const early = { createdDate: 'now-1d', raisedDate: 'now-2d' }
const renewed = { key: 'alerts', status: 'active', arr: 1, renewalDate: '2026-06-31' }
const impossible = { id: 1, updatedDate: '2026-02-30T09:00:00.000Z' }
const loop = [91, 92].map((id) => ({ id, parentId: id === 91 ? 92 : 91 }))
const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
const many = Array.from({ length: 26 }, (_, at) => ({ id: 1 + at * 10_000, customerId: 1, repeat: 10_000 }))
const instant =
  'must be an instant of the calendar like 2026-01-15T12:00:00.000Z. Use that form, or one relative to now'

it.for<readonly [path: string, problem: string, fixture: unknown]>([
  // A reference to a missing record, or to one of another organization.
  ['signals[1].customerId', '99 matches no customer.', { signals: [{ id: 7 }, { id: 8, customerId: 99 }] }],
  ['customers[0].memberRoles[0].memberIds[1]', '88 matches no member. Add the member', csm(1, 88)],
  ['customers[0].memberRoles[0].memberIds[0]', '501 is a member of organization quill', csm(501)],
  [
    'actionLogs[0].actionId',
    '999 matches no action',
    { actionLogs: [{ id: 5, automationId: 1, actionId: 999 }] },
  ],
  ['notes[0].customerId', 'is required, because', { extends: 'empty', notes: [{ id: 1 }] }],
  // A duplicate id or key.
  ['products[0].key', 'alerts is already the key of product 3.', { products: [{ id: 9, key: 'alerts' }] }],
  ['notes[1].id', '5002 is already the id of notes[0].', { notes: [{ id: 5001, repeat: 2 }, { id: 5002 }] }],
  [
    'automations[0].triggers[0].id',
    '11 already belongs',
    { automations: [{ id: 60, triggers: [{ id: 11 }] }] },
  ],
  // A record that contradicts itself.
  ['signals[0].raisedDate', 'must not be before', { signals: [{ id: 5, customerId: 1, ...early }] }],
  ['signals[0].closedDate', 'is required', { signals: [{ id: 5, status: 'closed', closedDate: null }] }],
  [
    'meetings[0].endDate',
    'must not be before',
    { meetings: [{ id: 1, endDate: '2020-01-01T00:00:00.000Z' }] },
  ],
  ['automations[0].parentId', '92 is the automation itself or one below it.', { automations: loop }],
  // An unknown key.
  ['sginals', 'is not known. Did you mean signals?', { sginals: [] }],
  ['customers[0].sources[0].external', 'is not', ofOne({ sources: [{ key: 'x', external: 'y' }] })],
  ['extends', 'defualt is not a builtin fixture. Did you mean default?', { extends: 'defualt' }],
  ['notes[0].__proto__', 'is not known', { notes: [JSON.parse('{ "id": 1, "__proto__": {} }')] }],
  ['notes[0].constructor', 'is not known', { notes: [{ id: 1, constructor: 'x' }] }],
  // An invalid value.
  ['it', 'must be an object. Correct it.', []],
  ['signals[0].id', 'is required. Add it.', { signals: [{ severity: 3 }] }],
  ['signals[0].status', 'must be one of open', { signals: [{ id: 1, status: 'done' }] }],
  ['signals[0].createdDate', instant, { signals: [{ id: 1, createdDate: 'yesterday' }] }],
  ['notes[0].updatedDate', instant, { notes: [{ id: 1, updatedDate: '2026-13-45T99:99:99.999Z' }] }],
  ['timeline[0].notes[0].updatedDate', instant, { timeline: [{ at: 'now', notes: [impossible] }] }],
  ['customers[0].products[0].renewalDate', 'must be a date of', ofOne({ products: [renewed] })],
  ['notes[0].repeat', 'goes beyond the largest id', { notes: [{ id: 9_007_199_254_740_991, repeat: 2 }] }],
  ['organizations', 'is empty. Add one.', { extends: null }],
  ['notes[0].id', 'must be greater than 0. Correct it.', { notes: [{ id: 0 }] }],
  ['notes[0].repeat', 'must be at most 10000. Correct it.', { notes: [{ id: 1, repeat: 10_001 }] }],
  ['customers[0].sources[0].key', 'must not be', ofOne({ sources: [{ key: '', externalId: '1' }] })],
  // One that no token or path could contain.
  ...['', 'a b', 'ä', 'a/b', 'a%2Fb', '..', 'a\n'].map(
    (id) => ['organizations[0].id', 'must have only letters, digits', { organizations: [{ id }] }] as const,
  ),
  // Too much.
  ['it', 'is nested more than 100 levels deep.', ofOne({ customFields: [{ key: 'tier', value: deep }] })],
  ['notes[25]', 'goes beyond 250000 records of a table. Use fewer records, or', { notes: many }],
])('rejects a fixture by the path and the problem: %s %s', ([path, problem, fixture]) => {
  const reason = `${path} ${problem}`
  expect(refusal(fixture).slice(0, reason.length)).toBe(reason)
})
