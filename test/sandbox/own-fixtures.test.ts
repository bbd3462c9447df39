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

it('a reference to a missing record, or to one of another organization, is rejected with its path, the problem and the remedy', () => {
  const signals = [{ id: 5, customerId: 1 }, { id: 6, customerId: 2 }, { id: 7 }, { id: 8, customerId: 99 }]
  expect(refusal({ signals })).toBe(
    'signals[3].customerId 99 matches no customer. Add the customer or change the id.',
  )
  expect(refusal({ customers: [{ id: 1, memberRoles: [{ key: 'csm', memberIds: [1, 88] }] }] })).toBe(
    'customers[0].memberRoles[0].memberIds[1] 88 matches no member. Add the member or change the id.',
  )
  expect(refusal({ actionLogs: [{ id: 5, automationId: 1, actionId: 999 }] })).toBe(
    'actionLogs[0].actionId 999 matches no action of automation 1. Add the action or change the id.',
  )
  expect(refusal({ extends: 'empty', notes: [{ id: 1 }] })).toBe(
    'notes[0].customerId is required, because there is no customer. Add one.',
  )
  expect(refusal({ customers: [{ id: 1, memberRoles: [{ key: 'csm', memberIds: [501] }] }] })).toBe(
    'customers[0].memberRoles[0].memberIds[0] 501 is a member of organization quill, not of harbor. Choose a member of the same organization or change the id.',
  )
})

it('a duplicate id or key is rejected', () => {
  expect(refusal({ products: [{ id: 9, key: 'alerts' }] })).toBe(
    'products[0].key alerts is already the key of product 3. Change that product or change the key.',
  )
  expect(refusal({ notes: [{ id: 5001, repeat: 2 }, { id: 5002 }] })).toBe(
    'notes[1].id 5002 is already the id of notes[0]. Change one of the two.',
  )
  expect(refusal({ automations: [{ id: 60, triggers: [{ id: 11 }] }] })).toBe(
    'automations[0].triggers[0].id 11 already belongs to automation 1. Change that one or change the id.',
  )
})

it('a record that contradicts itself is rejected', () => {
  const dates = { createdDate: 'now-1d', raisedDate: 'now-2d' }
  expect(refusal({ signals: [{ id: 5, customerId: 1, ...dates }] })).toBe(
    'signals[0].raisedDate must not be before createdDate, which is 2026-01-14T12:00:00.000Z. Correct it.',
  )
  expect(refusal({ signals: [{ id: 5, customerId: 1, status: 'closed', closedDate: null }] })).toBe(
    'signals[0].closedDate is required for a closed signal. Correct it.',
  )
  expect(refusal({ meetings: [{ id: 1, endDate: '2020-01-01T00:00:00.000Z' }] })).toMatch(
    /^meetings\[0\]\.endDate must not be before startDate, which is /,
  )
  const [own, below] = [
    [91, 92],
    [92, 91],
  ].map(([id, parentId]) => ({ id, parentId }))
  expect(refusal({ automations: [own, below] })).toMatch(
    /automations\[0\]\.parentId 92 is the automation itself or one below it\./,
  )
})

it('an unknown key is rejected, and the nearest known one suggested', () => {
  expect(refusal({ sginals: [] })).toBe('sginals is not known. Did you mean signals?')
  expect(refusal({ customers: [{ id: 1, sources: [{ key: 'x', external: 'y' }] }] })).toBe(
    'customers[0].sources[0].external is not known. Did you mean externalId?',
  )
  expect(refusal({ extends: 'defualt' })).toBe(
    'extends defualt is not a builtin fixture. Did you mean default?',
  )
  expect(refusal({ notes: [JSON.parse('{ "id": 1, "__proto__": {} }')] })).toMatch(/notes\[0\]\.__proto__/)
  expect(refusal({ notes: [{ id: 1, constructor: 'x' }] })).toMatch(/notes\[0\]\.constructor/)
})

it('an invalid value is rejected with its path', () => {
  const remedy = 'Use that form, or one relative to now, as in now-12d.'
  const rule = `must be an instant of the calendar like 2026-01-15T12:00:00.000Z. ${remedy}`
  const product = { key: 'alerts', status: 'active', arr: 1, renewalDate: '2026-06-31' }
  const cases: readonly (readonly [fixture: unknown, message: string])[] = [
    [[], 'it must be an object. Correct it.'],
    [{ signals: [{ severity: 3 }] }, 'signals[0].id is required. Add it.'],
    [
      { signals: [{ id: 1, status: 'done' }] },
      'signals[0].status must be one of open, inProgress, closed, dismissed. Correct it.',
    ],
    [{ signals: [{ id: 1, createdDate: 'yesterday' }] }, `signals[0].createdDate ${rule}`],
    [{ notes: [{ id: 1, updatedDate: '2026-13-45T99:99:99.999Z' }] }, `notes[0].updatedDate ${rule}`],
    [
      { timeline: [{ at: 'now', notes: [{ id: 1, updatedDate: '2026-02-30T09:00:00.000Z' }] }] },
      `timeline[0].notes[0].updatedDate ${rule}`,
    ],
    [
      { customers: [{ id: 1, products: [product] }] },
      `customers[0].products[0].renewalDate must be a date of the calendar like 2026-01-15. ${remedy}`,
    ],
    [
      { notes: [{ id: 9_007_199_254_740_991, repeat: 2 }] },
      'notes[0].repeat goes beyond the largest id, 9007199254740991. Start with a smaller id.',
    ],
    [{ extends: null }, 'organizations is empty. Add one.'],
    [{ notes: [{ id: 0 }] }, 'notes[0].id must be more than 0. Correct it.'],
    [{ notes: [{ id: 1, repeat: 10_001 }] }, 'notes[0].repeat must be at most 10000. Correct it.'],
    [
      { customers: [{ id: 1, sources: [{ key: '', externalId: '1' }] }] },
      'customers[0].sources[0].key must not be empty. Correct it.',
    ],
  ]
  for (const [fixture, message] of cases) expect(refusal(fixture)).toBe(message)
})

it.each(['', 'a b', 'ä', 'a/b', 'a%2Fb', '..', 'a\n'])(
  'an organization %j, which no token or path could contain, is rejected',
  (id) => {
    expect(refusal({ organizations: [{ id }] })).toMatch(
      /^organizations\[0\]\.id must have only letters, digits/,
    )
  },
)

it('a fixture that is nested too deep or too large is rejected', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  expect(refusal({ customers: [{ id: 1, customFields: [{ key: 'tier', value: deep }] }] })).toBe(
    'it is nested more than 100 levels deep. Flatten it.',
  )
  const notes = Array.from({ length: 26 }, (_, index) => ({
    id: 1 + index * 10_000,
    customerId: 1,
    repeat: 10_000,
  }))
  expect(refusal({ notes })).toBe(
    'notes[25] goes beyond 250000 records of a table. Use fewer records, or a larger size.',
  )
})
