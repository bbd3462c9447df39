import { expect, it } from 'vitest'

import type { Automation, AutomationSummary, Customer, Meeting, Member, Signal } from '../../src/index.ts'
import { as, expectInvalid, home, openSandbox, type Page } from '../support.ts'

const sandbox = openSandbox({ size: 60 })

const read = async <T>(path: string): Promise<T> => as(await sandbox, 'mara').get(`${home}${path}`)
const list = async <T>(path: string): Promise<readonly T[]> => (await read<Page<T>>(path)).items

it('lists logs newest first, those of one instant by the higher id first (assumed A-42)', async () => {
  const found = await Promise.all(
    (await read<AutomationSummary[]>('/automations')).map(async ({ id }) => {
      const { triggers } = await read<Automation>(`/automations/${id}`)
      return Promise.all(
        triggers.map((trigger) =>
          list<{ id: number; createdDate: string }>(`/automations/${id}/triggers/${trigger.id}/logs`),
        ),
      )
    }),
  )
  const lists = found.flat().filter((logs) => logs.length > 1)
  expect(lists.length).toBeGreaterThan(0)
  for (const logs of lists) {
    const sorted = logs.toSorted((a, b) =>
      a.createdDate < b.createdDate ? 1 : a.createdDate > b.createdDate ? -1 : b.id - a.id,
    )
    expect(logs).toEqual(sorted)
  }
})

it('shows every customer of the organization in the scope all, to every member (assumed A-43)', async () => {
  const counts = new Set<number>()
  for (const name of ['mara', 'theo', 'priya'] as const) {
    const page = await as(await sandbox, name).get<Page<Customer>>(`${home}/customers?limit=1`)
    counts.add(page.totalCount)
  }
  expect(counts.size).toBe(1)
})

it('rates severity from 1 to 5, of which 5 is the most severe (assumed A-44)', async () => {
  const signals = await list<Signal>('/signals?limit=250')
  const severities = new Set(signals.map(({ severity }) => severity))
  expect(severities).toEqual(new Set([1, 2, 3, 4, 5]))
})

it('gives arr in US dollars, so that customers can be compared (assumed A-45)', async () => {
  const customers = await list<Customer>('/customers?limit=250')
  const amounts = customers.flatMap(({ products }) => products.map(({ arr }) => arr))
  expect(amounts.length).toBeGreaterThan(20)
  expect(amounts.every((arr) => arr >= 0 && arr < 5_000_000)).toBe(true)
})

it('names countries and regions in English (assumed A-46)', async () => {
  const customers = await list<Customer>('/customers?limit=250')
  for (const { country, region } of customers) {
    expect([country, region]).toEqual([
      expect.stringMatching(/^[A-Z][A-Za-z .]{3,}$/),
      expect.stringMatching(/^[A-Z]/),
    ])
  }
})

it('lists drafts, meetings to come and deactivated automations, but no member who has left (assumed A-47)', async () => {
  const signals = await list<Signal>('/signals?limit=250')
  expect(signals.some(({ isDraft }) => isDraft)).toBe(true)
  const automations = await read<AutomationSummary[]>('/automations')
  expect(automations.some(({ deactivatedDate }) => deactivatedDate !== '')).toBe(true)
  const meetings = await Promise.all(
    Array.from({ length: 30 }, (_, index) => list<Meeting>(`/customers/${index + 1}/meetings`)),
  )
  expect(meetings.flat().some(({ startDate }) => startDate > '2026-01-15T12:00:00.000Z')).toBe(true)
  const session = (await sandbox).session()
  await session.data.members.patch(10, { leftDate: '2026-01-10T12:00:00.000Z' })
  const members = await as(session, 'mara').get<Member[]>(`${home}/members`)
  expect(members.map(({ id }) => id)).not.toContain(10)
})

it('omits a role that nobody has; a field or metric is omitted or null (assumed A-48)', async () => {
  const customers = await list<Customer>('/customers?limit=250')
  const roles = customers.flatMap(({ memberRoles }) => memberRoles.map(({ members }) => members.length))
  expect(new Set(customers.map(({ memberRoles }) => memberRoles.length)).size).toBeGreaterThan(1)
  expect(roles).not.toContain(0)
  for (const entries of [
    customers.map(({ customFields }) => customFields),
    customers.flatMap(({ products }) => products.map(({ metrics }) => metrics)),
  ]) {
    expect(new Set(entries.map(({ length }) => length)).size).toBeGreaterThan(1)
    expect(entries.flat().some(({ value }) => value === null)).toBe(true)
  }
})

it('gives the color of a type as a hexadecimal RGB value (assumed A-49)', async () => {
  const signals = await list<Signal>('/signals?limit=250')
  expect(new Set(signals.map(({ isPrimary }) => isPrimary)).size).toBe(2)
  for (const { type } of signals) expect(type.color).toMatch(/^#[0-9a-f]{6}$/i)
})

it('rejects a parameter for one value that is sent twice or empty (assumed A-50)', async () => {
  const mara = as(await sandbox, 'mara')
  for (const query of ['limit=1&limit=2', 'limit=', 'scope=mine&scope=team', 'scope=', 'memberId=']) {
    const [name = ''] = query.split('=')
    await expectInvalid(await mara.send(`${home}/customers?${query}`), `query ${name}`)
  }
})
