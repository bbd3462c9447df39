import { describe, expect, it } from 'vitest'

import { getLogCustomer } from '../../seed/dataset/ids.ts'
import { formatMonth } from '../../seed/texts/format.ts'
import { DAY, group, isGenerated, mediumTenants, type Row } from './tenants.ts'

/** Keeps the logs of customers. */
const logs = <L extends Row<'triggerLogs'> | Row<'actionLogs'>>(list: readonly L[]) =>
  list.filter(({ id }) => getLogCustomer(id) !== undefined)

describe.each(mediumTenants)('$name', ({ rows, talks, get, findEntry }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const meetingsOf = group(meetings)

  it('nobody who attends a meeting is spoken of as absent', () => {
    const wrong = talks.filter(({ meeting, lines }) =>
      meeting.contacts
        .slice(2)
        .some(({ firstName }) => lines.filter((line) => line.includes(firstName)).length > 3),
    )
    expect(wrong.map(({ meeting }) => meeting.id)).toEqual([])
  })

  it('nobody speaks of a demo that was not held', () => {
    const held =
      /(?:liked|in|than|after) the (?:\w+ )*demo|recording of the (?:\w+ )*demo|demo (?:held|went)/i
    const told = [
      ...rows.notes
        .filter(isGenerated)
        .map(({ customerId, createdDate, content }) => ({ customerId, at: createdDate, text: content })),
      ...signals.map((signal) => ({
        customerId: signal.customerId,
        at: signal.updatedDate,
        text: [signal.summary, signal.severityExplanation, signal.latestNote, signal.outcomeNotes].join(' '),
      })),
    ]
    const wrong = told.filter(
      ({ customerId, at, text }) =>
        held.test(text) &&
        !meetingsOf(customerId).some(
          ({ topic, startDate }) => /^(?:Demo|Introduction)/.test(topic) && startDate < at,
        ),
    )
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('nobody decides about a renewal after it', () => {
    const told = meetings.flatMap(({ id, customerId, topic, summary, startDate }) => {
      const month = /(?:decide|budget round) in (\w+)/.exec(summary ?? '')?.[1]
      const product = rows.products.find(({ name }) => topic.endsWith(`: ${name}`))
      const entry = findEntry(customerId, product?.id ?? 0)
      if (month === undefined || !entry || !/renewal/i.test(topic)) return []
      const startMs = Date.parse(startDate)
      const days = Math.ceil((((Date.parse(entry.renewalDate) - startMs) / DAY + 3653) % 365.25) + 1)
      const months = Array.from({ length: days }, (_, day) => formatMonth(startMs + day * DAY))
      return [{ id, isLate: !months.includes(month) }]
    })
    expect(told.length).toBeGreaterThan(10)
    expect(told.filter(({ isLate }) => isLate)).toEqual([])
  })

  it('an automation whose trigger worked acts, and none runs twice at once', () => {
    const triggers = logs(rows.triggerLogs)
    const acted = new Set(logs(rows.actionLogs).map((log) => `${getLogCustomer(log.id)} ${log.automationId}`))
    const idle = triggers.filter(
      (log) =>
        log.status === 'info' &&
        get('automations', log.automationId)?.actions.length !== 0 &&
        !acted.has(`${getLogCustomer(log.id)} ${log.automationId}`),
    )
    expect(idle.map(({ id }) => id)).toEqual([])
    for (const list of [triggers, logs(rows.actionLogs)]) {
      const runs = list.map((log) => {
        const part = 'triggerId' in log ? log.triggerId : log.actionId
        return `${getLogCustomer(log.id)} ${part} ${log.createdDate.slice(0, 18)}`
      })
      expect(runs.filter((run, place) => runs.indexOf(run) !== place)).toEqual([])
    }
  })
})
