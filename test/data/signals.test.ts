import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { removeLegalForm } from '../../seed/customers/stages.ts'
import { findProductPlan } from '../../seed/definitions/product-plans.ts'
import { findWorkplace } from '../../seed/people/offices.ts'
import {
  allTenants,
  countEach,
  DAY,
  fullName,
  isAtWork,
  isGenerated,
  measureTrend,
  nowMs,
  type Row,
  type Tenant,
} from './tenants.ts'

const YEAR = 365 * DAY

/** A generated signal with what is known about its product. Units: milliseconds since 1970. */
interface Told {
  readonly signal: Row<'signals'>
  readonly createdMs: number
  readonly customer: Row<'customers'>
  readonly product: Row<'products'>
  readonly entry: Row<'customers'>['products'][number] | undefined
  readonly startMs: number
  readonly renewalMs: number
  /** All texts, one after the other. */
  readonly text: string
}

const readSignals = ({ rows, seed, get, findEntry }: Tenant): Told[] =>
  rows.signals.filter(isGenerated).flatMap((signal) => {
    const customer = get('customers', signal.customerId)
    const product = get('products', signal.productId)
    if (!customer || !product) return []
    const entry = findEntry(customer.id, product.id)
    const texts = [signal.summary, signal.severityExplanation, signal.latestNote, signal.opportunity]
    return {
      signal,
      createdMs: Date.parse(signal.createdDate),
      customer,
      product,
      entry,
      startMs: entry ? computeStart(customer.id, entry, seed) : Number.POSITIVE_INFINITY,
      renewalMs: entry ? Date.parse(entry.renewalDate) : Number.POSITIVE_INFINITY,
      text: [...texts, signal.outcomeNotes].join('\n'),
    }
  })

/** Describes a signal in the message of a failed test. */
const describeSignal = ({ signal, text }: Told) => `${signal.id} ${signal.createdDate} ${text}`

/** Lists the first of the signals for which a statement is wrong, and how many there are. */
function listWrong(told: readonly Told[], isWrong: (one: Told) => boolean): string[] {
  const wrong = told.filter(isWrong)
  return wrong.length > 0
    ? [`${wrong.length} of ${told.length}`, ...wrong.slice(0, 5).map(describeSignal)]
    : []
}

const isOver = ({ signal }: Told) => signal.status === 'closed' || signal.status === 'dismissed'
const hasLeft = ({ entry, renewalMs }: Told, timeMs: number) =>
  entry?.status === 'churned' && timeMs > renewalMs

const isAutomatic = ({ signal }: Told) => ['usage', 'crm', 'survey'].includes(signal.source)

const isCreatedAtWork = ({ signal }: Told) =>
  isAtWork(signal.createdDate, findWorkplace({ id: signal.createdById }))

describe.each(allTenants)('signals with $name', (tenant) => {
  const { size, rows } = tenant
  const told = readSignals(tenant)

  it('people raise signals in the working hours of their office, and automatic ones come at any time', () => {
    const written = told.filter((one) => !isAutomatic(one))
    expect(written.length).toBeGreaterThan(size)
    expect(listWrong(written, (one) => !isCreatedAtWork(one))).toEqual([])
    const automatic = told.filter(isAutomatic)
    expect(automatic.some(isCreatedAtWork)).toBe(true)
    expect(automatic.some((one) => !isCreatedAtWork(one))).toBe(true)
  })

  it('people close signals in working hours, except for very few', () => {
    const closed = told.filter(isOver)
    const wrong = closed.filter(
      ({ signal }) => !isAtWork(signal.closedDate ?? '', findWorkplace({ id: signal.updatedById })),
    )
    expect(wrong.length).toBeLessThan(closed.length * 0.02)
  })

  it('signals cover about 18 months, without an explosion towards now', () => {
    const ages = told.map(({ createdMs }) => (nowMs - createdMs) / DAY)
    expect(Math.max(...ages)).toBeLessThan(560)
    expect(Math.max(...ages)).toBeGreaterThan(480)
    if (size < 300) return
    const { recent, growth } = measureTrend(told.map(({ signal }) => signal.createdDate))
    expect(recent).toBeGreaterThan(0.5)
    expect(recent).toBeLessThan(1.5)
    expect(growth).toBeGreaterThan(1)
    expect(growth).toBeLessThan(1.7)
  })

  it('signals that are not over are young', () => {
    const open = told.filter((one) => !isOver(one))
    expect(open.length).toBeGreaterThan(told.length * 0.05)
    expect(open.length).toBeLessThan(told.length * 0.35)
    expect(listWrong(open, ({ createdMs }) => nowMs - createdMs > 300 * DAY)).toEqual([])
  })

  it('signals are about products while their contract runs, shortly after it, or as an offer before', () => {
    const offers = new Set(['Expansion', 'Competition', 'Relationship'])
    const wrong = listWrong(told, (one) => {
      const { signal, createdMs, startMs, renewalMs } = one
      if (createdMs < startMs) return !offers.has(signal.category.name)
      return hasLeft(one, createdMs) && createdMs > renewalMs + 80 * DAY
    })
    expect(wrong).toEqual([])
    const isOffered = told.some(({ entry, createdMs, startMs }) => entry && createdMs < startMs)
    expect(isOffered || size < 300).toBe(true)
  })

  it('signals on products that the customer has left are over, except for chances to win it back', () => {
    const left = told.filter((one) => hasLeft(one, nowMs))
    expect(left.length).toBeGreaterThan(0)
    const wrong = listWrong(
      left.filter((one) => !isOver(one)),
      (one) =>
        one.signal.type.name !== 'Opportunity' ||
        !hasLeft(one, one.createdMs) ||
        nowMs - one.renewalMs > 125 * DAY,
    )
    expect(wrong).toEqual([])
  })

  it('renewals are talked about within four months, and are settled once they are past', () => {
    const renewals = told.filter(({ signal }) => signal.subCategory?.name === 'Terms')
    expect(renewals.length).toBeGreaterThan(0)
    const wrong = listWrong(renewals, (one) => {
      const later = Math.max(0, Math.ceil((one.renewalMs - one.createdMs) / YEAR) - 1)
      const renewalMs = one.renewalMs - later * YEAR
      const isFar = renewalMs - one.createdMs > 125 * DAY || renewalMs < one.createdMs
      return isFar || (renewalMs < nowMs && !isOver(one))
    })
    expect(wrong).toEqual([])
    const stated = told.flatMap((one) => {
      const [, days] = / (\d+) days to the .* renewal/.exec(` ${one.signal.summary}`) ?? []
      return days === undefined ? [] : [{ one, days: Number(days) }]
    })
    const inexact = stated.filter(({ one, days }) => {
      const distance = (((one.renewalMs - one.createdMs) % YEAR) + YEAR) % YEAR
      return Math.abs(distance / DAY - days) > 1
    })
    expect(inexact.map(({ one }) => describeSignal(one))).toEqual([])
  })

  it('nobody who has left a customer comes to its later meetings', () => {
    const departure =
      /(?:leaves|leaving|has left|, who left|left the team|moved to another (?:department|division|project)|is retiring|no longer with|went on leave|on leave until|now bounce)/
    const departures = told.filter(({ text }) => departure.test(text))
    expect(departures.length).toBeGreaterThan(0)
    const wrong = listWrong(departures, ({ signal, customer, text }) => {
      const later = rows.meetings.filter(
        ({ customerId, startDate }) => customerId === customer.id && startDate > signal.createdDate,
      )
      const sentences = text.split(/[.;\n]/).filter((sentence) => departure.test(sentence))
      return later.some(({ contacts }) =>
        contacts.map(fullName).some((name) =>
          sentences.some((sentence) => {
            const place = sentence.indexOf(name)
            return place !== -1 && (place < sentence.search(departure) || sentence.includes(`to ${name}`))
          }),
        ),
      )
    })
    expect(wrong).toEqual([])
  })

  it('texts state no spans of time that the calendar or the meetings contradict', () => {
    const wrong = listWrong(told, ({ text }) =>
      /\btime this year|year after leaving|no contact with|no meeting planned/i.test(text),
    )
    expect(wrong).toEqual([])
    const words = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
    const inexact = listWrong(told, ({ text, createdMs, renewalMs }) => {
      const [, word = ''] = /^(\w+) weeks after leaving/m.exec(text) ?? []
      return (
        word !== '' && words.indexOf(word.toLowerCase()) + 2 !== Math.floor((createdMs - renewalMs) / DAY / 7)
      )
    })
    expect(inexact).toEqual([])
  })

  it('only surveys are quoted as surveys', () => {
    const surveys = told.filter(({ signal }) => /\bsurvey\b/i.test(signal.summary))
    expect(surveys.length).toBeGreaterThan(0)
    expect(listWrong(surveys, ({ signal }) => signal.source !== 'survey')).toEqual([])
  })

  it('a signal dismissed for its wrong customer names neither the customer nor its people', () => {
    const misplaced = told.filter(({ signal }) => signal.dismissalReason?.name === 'Wrong customer')
    expect(misplaced.length > 0 || size < 300).toBe(true)
    const wrong = listWrong(misplaced, ({ customer, text }) => {
      const people = rows.meetings
        .filter(({ customerId }) => customerId === customer.id)
        .flatMap(({ contacts }) => contacts.map(fullName))
      return [removeLegalForm(customer.name), ...people].some((name) => text.includes(name))
    })
    expect(wrong).toEqual([])
  })

  it('no amount exceeds the contract, and there are no more seats than employees', () => {
    const amounts = told.filter((one) => one.entry && one.createdMs >= one.startMs && !hasLeft(one, nowMs))
    const wrong = listWrong(amounts, ({ entry, text }) =>
      [...text.matchAll(/\$([\d,]+)/g)].some(
        ([, sum = '']) => Number(sum.replaceAll(',', '')) > (entry?.arr ?? 0),
      ),
    )
    expect(wrong).toEqual([])
    const crowded = listWrong(told, ({ customer, text }) => {
      const [, more = 0] = /(\d+) more (?:\w+ )*seats/.exec(text) ?? []
      const [, seats = 0] = /(?:of|all|pays for) (\d+) (?:\w+ )*(?:seats|analysts|planners)/i.exec(text) ?? []
      return Number(more) + Number(seats) > customer.employeeCount
    })
    expect(crowded).toEqual([])
  })

  it('no summary without its facts makes up more than 2 % of the signals', () => {
    const limit = Math.max(5, told.length * 0.02)
    const summaries = countEach(told.map(removeFacts))
    expect([...summaries].filter(([, count]) => count > limit)).toEqual([])
  })
})

const months =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g
const numerals = /\b(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi

/** Removes names, numbers and the words about a product from a summary. */
function removeFacts({ signal, customer, product }: Told): string {
  const plan = findProductPlan(product)
  const words = [
    removeLegalForm(customer.name),
    plan.activity,
    plan.users,
    plan.purpose,
    ...plan.wishes,
    ...plan.troubles,
    product.name,
    signal.competitor?.name ?? product.name,
  ]
  return words
    .reduce((text, word) => text.replaceAll(word, '…'), signal.summary)
    .replaceAll(months, '…')
    .replaceAll(numerals, '…')
    .replaceAll(/\p{Lu}\S+ (?:(?:de|da|van|von|der|of) )*\p{Lu}\S+/gu, '…')
}
