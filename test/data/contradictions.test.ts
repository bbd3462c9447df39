import { describe, expect, it } from 'vitest'

import signalTexts from '../../seed/texts/signals.json' with { type: 'json' }
import { splitTemplate } from '../../seed/texts/templates.ts'
import { DAY, group, groupBy, isGenerated, mediumTenants, type Row } from './tenants.ts'

/** Reports whether a text contains the fixed parts of a template. */
const contains = (text: string, template: string): boolean =>
  splitTemplate(template).every((part, place) => place % 2 === 1 || text.includes(part.trim()))

/** Names the product that a meeting is about, for one customer. */
const nameTopic = ({ customerId, topic }: Row<'meetings'>) => `${customerId} ${topic.split(': ').at(-1)}`

const isDemo = ({ topic }: Row<'meetings'>) => /^(?:Demo|Introduction)/.test(topic)

describe.each(mediumTenants)('$name', ({ rows, talks, findEntry }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const signalsOf = group(signals)
  const meetingsOf = group(meetings)

  it('a signal does not contradict itself', () => {
    const wrong = signals
      .map(({ id, summary, severityExplanation, latestNote, outcomeNotes }) => ({
        id,
        fields: [summary, severityExplanation, latestNote, outcomeNotes].map((text) => text ?? ''),
      }))
      .filter(({ fields }) =>
        signalTexts.contradictions.some(
          ([one = '', other = '']) =>
            fields.some((text) => contains(text, one)) && fields.some((text) => contains(text, other)),
        ),
      )
    expect(wrong).toEqual([])
  })

  it('a signal dismissed as a duplicate repeats the summary of one that was created some days before', () => {
    const duplicates = signals.filter(({ dismissalReason }) => dismissalReason?.name === 'Duplicate')
    expect(duplicates.length).toBeGreaterThan(5)
    const other = duplicates.filter((signal) => {
      const original = signalsOf(signal.customerId).find(({ id }) => id === signal.id - 1)
      if (original?.category.id !== signal.category.id || original.productId !== signal.productId) return true
      const ageMs = Date.parse(signal.createdDate) - Date.parse(original.createdDate)
      const isMisplaced = original.dismissalReason?.name === 'Wrong customer'
      return ageMs <= 0 || ageMs >= 12 * DAY || (!isMisplaced && !signal.summary.includes(original.summary))
    })
    expect(other.map(({ id, summary }) => `${id} ${summary}`)).toEqual([])
  })

  it('a prospect says what it needs before it sees a demo', () => {
    const wrong = [...groupBy(meetings, nameTopic).values()].flatMap((list) =>
      list.filter(
        ({ topic, startDate }) =>
          topic.startsWith('Discovery') && list.some((other) => isDemo(other) && other.startDate < startDate),
      ),
    )
    expect(wrong.map(({ id, topic }) => `${id} ${topic}`)).toEqual([])
  })

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
        !meetingsOf(customerId).some((meeting) => isDemo(meeting) && meeting.startDate < at),
    )
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('nobody asks the same question twice in a meeting', () => {
    const wrong = talks.flatMap(({ meeting, lines }) => {
      const questions = lines.filter((line) => line.endsWith('?'))
      const twice = questions.filter((line, place) => questions.indexOf(line) !== place)
      return twice.map((line) => `${meeting.id} ${line}`)
    })
    expect(wrong).toEqual([])
  })

  it('in a demo, people talk about the product that is shown', () => {
    const names = rows.products.map(({ name }) => name)
    const wrong = talks.filter(({ meeting, lines }) => {
      const shown = meeting.topic.split(': ').at(-1) ?? ''
      if (!/^(?:Demo|Introduction|Discovery)/.test(meeting.topic) || !names.includes(shown)) return false
      return lines.some((line) => names.some((name) => name !== shown && line.includes(`on ${name}`)))
    })
    expect(wrong.map(({ meeting }) => `${meeting.id} ${meeting.topic}`)).toEqual([])
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

  it('a meeting about a product that a customer has shows no figures of its other products', () => {
    const wrong = talks.flatMap(({ meeting: { id, organizationId, customerId, topic }, lines }) => {
      const product = rows.products.find(
        (row) => row.organizationId === organizationId && topic.endsWith(`: ${row.name}`),
      )
      if (!findEntry(customerId, product?.id ?? 0)) return []
      const others = rows.productMetrics.filter(
        (metric) => metric.organizationId === organizationId && metric.productId !== product?.id,
      )
      return lines.flatMap((line) => {
        const shown = /^(.+?) (?:is at|stands at|shows) [\d,]+/.exec(line)?.[1]?.toLowerCase()
        return others.some(({ name }) => name.toLowerCase() === shown) ? [`${id} ${shown}`] : []
      })
    })
    expect(wrong).toEqual([])
  })
})
