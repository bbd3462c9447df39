import { describe, expect, it } from 'vitest'

import { getLogCustomer } from '../../seed/dataset/ids.ts'
import { allTenants, DAY, expectNone, listRenewals, type Row, type Tenant } from './tenants.ts'

type LogRow = Row<'triggerLogs'> | Row<'actionLogs'>

interface Log {
  readonly row: LogRow
  readonly automation: string
  readonly message: string
  readonly timeMs: number
  /** The customer that the message names. */
  readonly customer: Row<'customers'> | undefined
}

const MINUTE = 60_000

/** Reads the logs of a tenant with their messages. */
function readLogs({ whole, get }: Tenant, table: 'triggerLogs' | 'actionLogs'): Log[] {
  return whole[table].map((row: LogRow) => {
    const { message = '' } = row
    const customer = get('customers', getLogCustomer(row.id) ?? 0)
    return {
      row,
      automation: get('automations', row.automationId)?.name ?? '',
      message,
      timeMs: Date.parse(row.createdDate),
      customer: customer && message.startsWith(customer.name.slice(0, 6)) ? customer : undefined,
    }
  })
}

describe.each(allTenants)('$name', (tenant) => {
  const { seed, get } = tenant
  const triggers = readLogs(tenant, 'triggerLogs')
  const actions = readLogs(tenant, 'actionLogs')
  const logs = [...triggers, ...actions]

  it('every log has a message, which begins with the customer that an automation watches over', () => {
    expectNone(logs, ({ message }) => !/^\S.{8,}$/.test(message))
    const watched = triggers.filter(({ automation }) => /watch|routing/.test(automation))
    expectNone(watched, ({ customer }) => !customer)
  })

  it('nightly automations run once every night, in the night of UTC and of the eastern United States', () => {
    const own = triggers.filter(
      ({ automation, row }) => automation === 'Renewal countdown' && row.organizationId === 'harbor',
    )
    const days = own.map(({ timeMs }) => Math.floor(timeMs / DAY))
    expect(new Set(days).size).toBe(days.length)
    expect(Math.max(...days) - Math.min(...days)).toBe(days.length - 1)
    const hours = own.map(({ timeMs }) => new Date(timeMs).getUTCHours())
    expectNone(hours, (hour) => hour < 4 || hour > 5)
  })

  it('a message about a signal comes right after it, or a week later as a reminder', () => {
    const told = logs.filter(({ message }) => /\bsignal \d+/.test(message))
    expect(told.length).toBeGreaterThan(3)
    expectNone(told, ({ message, automation, timeMs, customer }) => {
      const signal = get('signals', Number(/\bsignal (\d+)/.exec(message)?.[1]))
      const times = [signal?.createdDate, signal?.raisedDate].map((time) => Date.parse(time ?? ''))
      const delay = automation.includes('after a week') ? 7 * DAY : 0
      const isInTime = times.some((time) => Math.abs(timeMs - time - delay) < 4 * MINUTE)
      const severity = /severity (\d)/.exec(message)?.[1]
      const isTrue = severity === undefined || Number(severity) === signal?.severity
      return !isInTime || !isTrue || customer?.id !== signal?.customerId
    })
  })

  it('a countdown counts down to a renewal of the product', () =>
    expectNone(logs, ({ message, timeMs, customer }) => {
      const days = /(\d+) days(?: left|$)/.exec(message)?.[1]
      if (days === undefined || !message.includes('renews')) return false
      const renewals = customer?.products.flatMap((entry) => listRenewals(customer, entry, seed)) ?? []
      return !renewals.some((renewalMs) => Math.abs(renewalMs - timeMs - Number(days) * DAY) < DAY)
    }))
})
