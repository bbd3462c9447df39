import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import signalTexts from '../../seed/texts/signals.json' with { type: 'json' }
import { splitTemplate } from '../../seed/texts/templates.ts'
import { DAY, group, groupBy, isGenerated, mediumTenants, readField, type Row } from './tenants.ts'

/** Reports whether a text contains the fixed parts of a template. */
const contains = (text: string, template: string): boolean =>
  splitTemplate(template).every((part, place) => place % 2 === 1 || text.includes(part.trim()))

/** Names the product that a meeting is about, for one customer. */
const nameTopic = ({ customerId, topic }: Row<'meetings'>) => `${customerId} ${topic.split(': ').at(-1)}`

const isDemo = ({ topic }: Row<'meetings'>) => /^(?:Demo|Introduction)/.test(topic)

describe.each(mediumTenants)('$name', ({ seed, rows, whole, customers, talks, findEntry }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const signalsOf = group(signals)

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

  it('nobody sells or writes of no contract once the contract is signed', () => {
    const signedDate = new Map(
      customers.flatMap((customer) => {
        const value = readField(customer, 'contractSigned')
        return typeof value === 'string' ? [[customer.id, value] as const] : []
      }),
    )
    const firstStart = new Map(
      customers.map(({ id, products }) => [id, Math.min(...products.map((p) => computeStart(id, p, seed)))]),
    )
    const late = signals.filter(({ customerId, createdDate, category }) => {
      const signed = signedDate.get(customerId) ?? '9999'
      const isBefore = Date.parse(createdDate) < (firstStart.get(customerId) ?? 0)
      return isBefore && createdDate > signed && category.name === 'Expansion'
    })
    expect(late.map(({ id, summary }) => `${id} ${summary}`)).toEqual([])
    const unaware = signals.filter(({ customerId, productId, createdDate, category }) => {
      const entry = findEntry(customerId, productId)
      const days = entry && (computeStart(customerId, entry, seed) - Date.parse(createdDate)) / DAY
      return category.name === 'Expansion' && days !== undefined && days > 0 && days < 24
    })
    expect(unaware.map(({ id, summary }) => `${id} ${summary}`)).toEqual([])
    const denials = /no contract yet|Nothing has been bought|have not decided|no order so far|is a prospect/
    const wrong = whole.briefContents.filter(
      (brief) =>
        isGenerated(brief) &&
        brief.createdDate > (signedDate.get(brief.customerId) ?? '9999') &&
        denials.test(brief.content ?? ''),
    )
    expect(wrong.map(({ content }) => content?.split('\n')[0])).toEqual([])
  })

  it('usage that is flat stays about the same, and agrees with the metrics', () => {
    const shares = meetings.flatMap((meeting) => {
      const percent = /(?:flat at|came back to|people,) (\d+)%/.exec(meeting.summary ?? '')?.[1]
      const [name, at] = [nameTopic(meeting), Date.parse(meeting.startDate)]
      return percent === undefined ? [] : [{ name, at, percent: Number(percent) }]
    })
    const pairs = [...groupBy(shares, ({ name }) => name).values()].flatMap((list) =>
      list.flatMap((one, place) => list.slice(place + 1).map((other) => [one, other] as const)),
    )
    const jumps = pairs.filter(
      ([one, other]) => Math.abs(one.at - other.at) < 100 * DAY && Math.abs(one.percent - other.percent) > 9,
    )
    expect(jumps).toEqual([])
    const wrong = talks.filter(({ meeting, lines }) => {
      const told = /flat at (\d+)%/.exec(meeting.summary ?? '')?.[1]
      const shown = /^Adoption rate (?:is at|stands at|shows) (\d+) percent/m.exec(lines.join('\n'))?.[1]
      const isOfProduct = meeting.topic.endsWith('Dashboards')
      return isOfProduct && told !== undefined && shown !== undefined && told !== shown
    })
    expect(wrong.map(({ meeting }) => meeting.id)).toEqual([])
    const metrics = customers.flatMap(({ products }) => products.flatMap((product) => product.metrics))
    expect(metrics.some(({ key, value }) => key === 'adoptionRate' && value !== null)).toBe(true)
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
})
