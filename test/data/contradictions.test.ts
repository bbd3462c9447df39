import { describe, expect, it } from 'vitest'

import signalTexts from '../../seed/texts/signals.json' with { type: 'json' }
import { splitTemplate } from '../../seed/texts/templates.ts'
import {
  DAY,
  expectNone,
  group,
  groupBy,
  isGenerated,
  listTexts,
  mediumTenants,
  type Row,
} from './tenants.ts'

/** Reports whether a text contains the fixed parts of a template. */
const contains = (text: string, template: string): boolean =>
  splitTemplate(template).every((part, place) => place % 2 === 1 || text.includes(part.trim()))

const isDemo = ({ topic }: Row<'meetings'>) => /^(?:Demo|Introduction)/.test(topic)

describe.each(mediumTenants)('$name', ({ rows, talks, findEntry }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const signalsOf = group(signals)
  const meetingsOf = group(meetings)

  it('a signal does not contradict itself', () =>
    expectNone(signals, (signal) => {
      const texts = listTexts(signal)
      return signalTexts.contradictions.some((pair) =>
        pair.every((template) => texts.some((text) => contains(text, template))),
      )
    }))

  it('a signal dismissed as a duplicate repeats the summary of one that was created some days before', () => {
    const duplicates = signals.filter(({ dismissalReason }) => dismissalReason?.name === 'Duplicate')
    expect(duplicates.length).toBeGreaterThan(5)
    expectNone(duplicates, (signal) => {
      const original = signalsOf(signal.customerId).find(({ id }) => id === signal.id - 1)
      if (original?.category.id !== signal.category.id || original.productId !== signal.productId) return true
      const ageMs = Date.parse(signal.createdDate) - Date.parse(original.createdDate)
      const isMisplaced = original.dismissalReason?.name === 'Wrong customer'
      return ageMs <= 0 || ageMs >= 12 * DAY || (!isMisplaced && !signal.summary.includes(original.summary))
    })
  })

  it('a prospect says what it needs before it sees a demo', () => {
    const products = groupBy(meetings, ({ customerId, topic }) => `${customerId} ${topic.split(': ').at(-1)}`)
    expectNone(
      meetings.filter(({ topic }) => topic.startsWith('Discovery')),
      ({ customerId, topic, startDate }) =>
        products
          .get(`${customerId} ${topic.split(': ').at(-1)}`)
          ?.some((other) => isDemo(other) && other.startDate < startDate),
    )
  })

  it('nobody who attends a meeting is spoken of as absent', () =>
    expectNone(talks, ({ meeting, lines }) =>
      meeting.contacts
        .slice(2)
        .some(({ firstName }) => lines.filter((line) => line.includes(firstName)).length > 3),
    ))

  it('nobody speaks of a demo that was not held', () => {
    const held =
      /(?:liked|in|than|after) the (?:\w+ )*demo|recording of the (?:\w+ )*demo|demo (?:held|went)/i
    const told = [
      ...rows.notes
        .filter(isGenerated)
        .map((note) => ({ ...note, at: note.createdDate, text: note.content })),
      ...signals.map((signal) => ({ ...signal, at: signal.updatedDate, text: listTexts(signal).join(' ') })),
    ]
    expectNone(
      told,
      ({ customerId, at, text }) =>
        held.test(text) &&
        !meetingsOf(customerId).some((meeting) => isDemo(meeting) && meeting.startDate < at),
    )
  })

  it('nobody asks the same question twice in a meeting', () =>
    expectNone(talks, ({ lines }) => {
      const questions = lines.filter((line) => line.endsWith('?'))
      return new Set(questions).size < questions.length
    }))

  it('in a demo, people talk about the product that is shown', () => {
    const names = rows.products.map(({ name }) => name)
    expectNone(talks, ({ meeting, lines }) => {
      const shown = meeting.topic.split(': ').at(-1) ?? ''
      if (!/^(?:Demo|Introduction|Discovery)/.test(meeting.topic) || !names.includes(shown)) return false
      return lines.some((line) => names.some((name) => name !== shown && line.includes(`on ${name}`)))
    })
  })

  it('people ask about a signal of the last weeks, not of last year', () => {
    const dated =
      /(?:note from|entry from|Something from|down on|^On) (\d+ \w+)(?: on our side| one of us wrote down)?: /
    const ages = talks.flatMap(({ meeting, lines }) =>
      lines.flatMap((line) => {
        const day = dated.exec(line)?.[1]
        if (day === undefined) return []
        const age = Date.parse(meeting.startDate) - Date.parse(`${day} ${meeting.startDate.slice(0, 4)} UTC`)
        return [(age < 0 ? age + 365 * DAY : age) / DAY]
      }),
    )
    expect(ages.length).toBeGreaterThan(4)
    expect(ages.filter((days) => days > 62)).toEqual([])
  })

  it('a meeting about a product that a customer has shows no figures of its other products', () =>
    expectNone(talks, ({ meeting: { organizationId, customerId, topic }, lines }) => {
      const product = rows.products.find(
        (row) => row.organizationId === organizationId && topic.endsWith(`: ${row.name}`),
      )
      if (!findEntry(customerId, product?.id ?? 0)) return false
      const others = rows.productMetrics.filter(
        (metric) => metric.organizationId === organizationId && metric.productId !== product?.id,
      )
      return lines.some((line) => {
        const shown = /^(.+?) (?:is at|stands at|shows) [\d,]+/.exec(line)?.[1]?.toLowerCase()
        return others.some(({ name }) => name.toLowerCase() === shown)
      })
    }))
})
