import { describe, expect, it } from 'vitest'

import { toLocalTime } from '../../seed/calendar/calendar.ts'
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

  it('questions end with a question mark', () => {
    const unasked =
      /(?:\? Was it \w+|what do I tell the [\w ]+|^(?:What if|And if|Does your management)\b[^?]*)\.$/
    expect(talks.flatMap(({ lines }) => lines.filter((line) => unasked.test(line)))).toEqual([])
  })

  it('a meeting whose summary says how many people begin does not count them otherwise', () => {
    const wrong = talks.filter(({ meeting: { summary }, lines }) => {
      const count = /About (\d+) \w+ would|will ask (\d+) colleagues/.exec(summary ?? '')
      const begin = lines.flatMap(
        (line) => /(?:^|with )(\d+) (?:at first|, everybody)|begin with (\d+),/.exec(line)?.slice(1) ?? [],
      )
      return count && begin.some((number) => number !== undefined && number !== (count[1] ?? count[2]))
    })
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

  it('a first call is the first', () => {
    const wrong = rows.signals.filter(
      ({ customerId, summary, createdDate }) =>
        /first call/.test(summary) && meetingsOf(customerId).some(({ startDate }) => startDate < createdDate),
    )
    expect(wrong.map(({ summary }) => summary)).toEqual([])
  })

  it('nobody needs half a year to see that a signal was none', () => {
    const slight = /another vendor|wrong account|logging gap/
    const wrong = signals.filter(
      ({ outcomeNotes, createdDate, closedDate, severity }) =>
        slight.test(outcomeNotes ?? '') &&
        (severity === 5 || Date.parse(closedDate ?? '') - Date.parse(createdDate) > 150 * DAY),
    )
    expect(wrong.map(({ id, outcomeNotes }) => `${id} ${outcomeNotes}`)).toEqual([])
  })

  it('people answer surveys when they are awake', () => {
    const surveys = signals.filter(
      ({ source, dismissalReason }) => source === 'survey' && dismissalReason?.name !== 'Duplicate',
    )
    const night = surveys.filter(({ createdDate, customerId }) => {
      const { timezone = '' } = get('customers', customerId) ?? {}
      const hour = new Date(toLocalTime(Date.parse(createdDate), timezone)).getUTCHours()
      return hour < 7 || hour >= 22
    })
    expect(surveys.length).toBeGreaterThan(50)
    expect(night.length).toBeLessThan(0.02 * surveys.length)
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

  it('a reminder of a kickoff comes in the week before it', () => {
    const reminders = logs(rows.triggerLogs).filter(
      ({ automationId }) => get('automations', automationId)?.name === 'Kickoff reminder',
    )
    const late = reminders.filter(
      (log) =>
        !meetingsOf(getLogCustomer(log.id) ?? 0).some(({ topic, startDate }) => {
          const days = (Date.parse(startDate) - Date.parse(log.createdDate)) / DAY
          return /^(?:Project )?kick-?off/i.test(topic) && days > 0 && days < 8
        }),
    )
    expect(reminders.length).toBeGreaterThan(3)
    expect(late.map(({ id }) => id)).toEqual([])
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
