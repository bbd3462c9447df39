import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { formatMonth } from '../../seed/texts/format.ts'
import signalTexts from '../../seed/texts/signals.json' with { type: 'json' }
import { splitTemplate } from '../../seed/texts/templates.ts'
import {
  DAY,
  group,
  groupBy,
  isGenerated,
  listGaps,
  mediumTenants,
  now,
  readField,
  type Row,
} from './tenants.ts'

/** Reports whether a text contains the fixed parts of a template. */
const contains = (text: string, template: string): boolean =>
  splitTemplate(template).every((part, place) => place % 2 === 1 || text.includes(part.trim()))

/** Names the product that a meeting is about, for one customer. */
const nameTopic = ({ customerId, topic }: Row<'meetings'>) => `${customerId} ${topic.split(': ').at(-1)}`

const isDemo = ({ topic }: Row<'meetings'>) => /^(?:Demo|Introduction)/.test(topic)

/** Lists when meetings start. Units: milliseconds since 1970. */
const listTimes = (meetings: readonly Row<'meetings'>[]): number[] =>
  meetings.map(({ startDate }) => Date.parse(startDate))

describe.each(mediumTenants)('$name', ({ seed, rows, whole, customers, talks, get, findEntry }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const signalsOf = group(signals)
  const hasLeft = (customerId: number, productId: number): boolean =>
    findEntry(customerId, productId)?.status === 'churned'

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

  it('a severe signal that no contract keeps open is over after some weeks', () => {
    const long = signals.filter(
      ({ severity, category, customerId, productId, createdDate, closedDate }) =>
        severity === 5 &&
        !hasLeft(customerId, productId) &&
        category.name === 'Support' &&
        Date.parse(closedDate ?? '2026-01-15') - Date.parse(createdDate) > 100 * DAY,
    )
    expect(long.map(({ id, createdDate, closedDate }) => `${id} ${createdDate} ${closedDate}`)).toEqual([])
  })

  it('nobody postpones a renewal to a month after it', () => {
    const wrong = signals.filter(({ latestNote, summary, createdDate }) => {
      const days = /^(\d+) days to the .* renewal/.exec(summary)?.[1]
      const month = /pick it up in (\w+)/.exec(latestNote ?? '')?.[1]
      if (days === undefined || month === undefined) return false
      const until = Array.from({ length: Number(days) + 1 }, (_, day) => Date.parse(createdDate) + day * DAY)
      return !until.some((timeMs) => formatMonth(timeMs) === month)
    })
    expect(wrong.map(({ summary, latestNote }) => `${summary}: ${latestNote}`)).toEqual([])
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

  it('each quarter of a product is reviewed once, and a customer has at most one review in two weeks', () => {
    const reviews = meetings.filter(({ topic }) => /^(?:Quarterly b|B)usiness review|^QBR/.test(topic))
    const gaps = [...groupBy(reviews, nameTopic).values()].flatMap((list) => listGaps(listTimes(list)))
    expect(gaps.length).toBeGreaterThan(10)
    expect(Math.min(...gaps)).toBeGreaterThan(40 * DAY)
    const reviewsOf = group(reviews)
    const close = customers.filter(({ id }) =>
      listGaps(listTimes(reviewsOf(id))).some((gap) => gap < 14 * DAY),
    )
    expect(close.map(({ id }) => id)).toEqual([])
  })

  it('the score of the last survey and the health of a customer are not worlds apart', () => {
    const wrong = customers.flatMap((customer) => {
      const [survey, health] = ['npsScore', 'healthScore'].map((name) => readField(customer, name))
      const areNumbers = typeof survey === 'number' && typeof health === 'number'
      return areNumbers && Math.abs(survey * 10 - health) > 40 ? [`${customer.id}: ${survey}, ${health}`] : []
    })
    expect(wrong).toEqual([])
  })

  it('no check-in takes place while a product is rolled out', () => {
    const wrong = meetings.filter(({ topic, customerId, startDate }) => {
      const product = rows.products.find(({ name }) => topic.endsWith(`: ${name}`))
      const entry = findEntry(customerId, product?.id ?? 0)
      if (!entry || !/check-in/i.test(topic)) return false
      return Date.parse(startDate) < computeStart(customerId, entry, seed) + 95 * DAY
    })
    expect(wrong.map(({ id, topic }) => `${id} ${topic}`)).toEqual([])
  })

  it('meetings are planned a day ahead or more', () => {
    const sudden = meetings.filter(
      ({ startDate, createdDate }) => startDate.slice(0, 10) === createdDate.slice(0, 10),
    )
    expect(sudden.length).toBeLessThan(0.01 * meetings.length)
  })

  it('test groups are a small part of a company', () => {
    const wrong = meetings.filter(({ summary, customerId }) => {
      const people = /(?:Test group of|is testing with) (\d+)/.exec(summary ?? '')?.[1]
      const employees = get('customers', customerId)?.employeeCount ?? 0
      return people !== undefined && Number(people) > Math.max(2, Math.min(15, employees * 0.12))
    })
    expect(wrong.map(({ summary }) => summary)).toEqual([])
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

  it('a customer that does not answer is not silent for months', () => {
    const silent =
      /unanswered|has not answered|No reply to|No response from|slow to reply|went quiet|has not opened|on hold$/
    const own = signals.filter(({ summary, dismissalReason }) => silent.test(summary) && !dismissalReason)
    expect(own.length).toBeGreaterThan(15)
    const long = own.filter(({ createdDate, closedDate, customerId, productId }) => {
      const days = (Date.parse(closedDate ?? now) - Date.parse(createdDate)) / DAY
      return days > 85 && !hasLeft(customerId, productId)
    })
    expect(long.map(({ id, summary }) => `${id} ${summary}`)).toEqual([])
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

  it('a prospect buys the product that was likely', () => {
    const unlikely = rows.notes.filter(isGenerated).flatMap(({ customerId, content }) => {
      const likely = /^Likely first product for [^:]*: ([^.]+)\./.exec(content)?.[1]
      const bought = get('customers', customerId)?.products.map(({ key }) => key) ?? []
      const keys = rows.products.filter(({ name }) => name === likely).map(({ key }) => key)
      return likely === undefined || bought.length === 0 || keys.some((key) => bought.includes(key))
        ? []
        : [`${customerId} ${content}`]
    })
    expect(unlikely).toEqual([])
  })

  it('goals fit what a customer can buy', () => {
    const wrong = customers.filter((customer) => {
      const foreign =
        customer.organizationId === 'harbor'
          ? /contract|signing|approval|clause/i
          : /numbers|spreadsheet|reports|live data/i
      return foreign.test(String(readField(customer, 'successGoal')))
    })
    expect(wrong.map(({ id, organizationId }) => `${organizationId} ${id}`)).toEqual([])
  })
})
