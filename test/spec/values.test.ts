import { expect, it } from 'vitest'

import type { AutomationSummary, Customer, Meeting, Signal } from '../../src/index.ts'
import { as, expectInvalid, home, openSandbox } from '../support.ts'
import { readIds, readItems } from './support.ts'

const sandbox = await openSandbox({ size: 60 })
const mara = as(sandbox, 'mara')
const customers = await readItems<Customer>(mara, 'customers?limit=250')
const signals = await readItems<Signal>(mara, 'signals?limit=250')

it('rates severity from 1 to 5, of which 5 is the most severe (assumed A-44)', () => {
  const severities = new Set(signals.map(({ severity }) => severity))
  expect(severities).toEqual(new Set([1, 2, 3, 4, 5]))
})

it('gives arr in US dollars, so that customers can be compared (assumed A-45)', () => {
  const amounts = customers.flatMap(({ products }) => products.map(({ arr }) => arr))
  expect(amounts.length).toBeGreaterThan(20)
  expect(amounts.every((arr) => arr >= 0 && arr < 5_000_000)).toBe(true)
})

it('names countries and regions in English (assumed A-46)', () => {
  for (const { country, region } of customers) {
    expect(country).toMatch(/^[A-Z][A-Za-z .]{3,}$/)
    expect(region).toMatch(/^[A-Z]/)
  }
})

it('lists drafts, meetings to come and deactivated automations, but no member who has left (assumed A-47)', async () => {
  expect(signals.some(({ isDraft }) => isDraft)).toBe(true)
  const automations = await readItems<AutomationSummary>(mara, 'automations')
  expect(automations.some(({ deactivatedDate }) => deactivatedDate !== '')).toBe(true)
  const meetings = await Promise.all(
    customers.map(({ id }) => readItems<Meeting>(mara, `customers/${id}/meetings`)),
  )
  expect(meetings.flat().some(({ startDate }) => startDate > '2026-01-15T12:00:00.000Z')).toBe(true)
  const session = sandbox.session()
  await session.data.members.patch(10, { leftDate: '2026-01-10T12:00:00.000Z' })
  expect(await readIds(as(session, 'mara'), 'members')).not.toContain(10)
})

it('omits a role that nobody has; a field or metric is omitted or null (assumed A-48)', () => {
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

it('gives the color of a type as a hexadecimal RGB value (assumed A-49)', () => {
  expect(new Set(signals.map(({ isPrimary }) => isPrimary)).size).toBe(2)
  for (const { type } of signals) expect(type.color).toMatch(/^#[0-9a-f]{6}$/i)
})

it('rejects a parameter for one value that is sent twice or empty (assumed A-50)', async () => {
  for (const query of ['limit=1&limit=2', 'limit=', 'scope=mine&scope=team', 'scope=', 'memberId=']) {
    const [name = ''] = query.split('=')
    await expectInvalid(await mara.send(`${home}/customers?${query}`), `query ${name}`)
  }
})
