import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { formatMonth } from '../../seed/texts/format.ts'
import signalTexts from '../../seed/texts/signals.json' with { type: 'json' }
import { splitTemplate } from '../../seed/texts/templates.ts'
import { now } from './datasets.ts'
import { DAY, isGenerated } from './support.ts'
import { group, tenants } from './tenants.ts'

/** Reports whether a text contains the fixed parts of a template. */
const contains = (text: string, template: string): boolean =>
  splitTemplate(template).every((part, place) => place % 2 === 1 || text.includes(part.trim()))

describe.each(tenants)('seed $seed, 300 customers', ({ seed, rows, customers, data }) => {
  const texts = createTexts(seed)
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const signalsOf = group(signals)
  const talks = meetings
    .filter(({ hasTranscript }) => hasTranscript)
    .map((meeting) => ({ meeting, lines: texts.transcript(meeting, data).map(({ text }) => text) }))
  const hasLeft = (customerId: number, productId: number): boolean => {
    const key = data.get('products', productId)?.key
    const entry = data.get('customers', customerId)?.products.find((product) => product.key === key)
    return entry?.status === 'churned'
  }
  const getMetric = (customerId: number, key: string) =>
    data
      .get('customers', customerId)
      ?.products.flatMap((product) => product.metrics)
      .find((metric) => metric.key === key)?.value

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

  it('a signal dismissed as a duplicate repeats the summary of its original', () => {
    const duplicates = signals.filter(({ dismissalReason }) => dismissalReason?.name === 'Duplicate')
    expect(duplicates.length).toBeGreaterThan(5)
    const other = duplicates.filter(({ id, customerId, summary }) => {
      const original = signalsOf(customerId).find((signal) => signal.id === id - 1)
      return (
        original?.dismissalReason?.name !== 'Wrong customer' && !summary.includes(original?.summary ?? '-')
      )
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
      customers.flatMap(({ id, customFields }) => {
        const value = customFields.find(({ key }) => key === 'contractSigned')?.value
        return typeof value === 'string' ? [[id, value] as const] : []
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
      const key = data.get('products', productId)?.key
      const entry = data.get('customers', customerId)?.products.find((product) => product.key === key)
      const days = entry && (computeStart(customerId, entry, seed) - Date.parse(createdDate)) / DAY
      return category.name === 'Expansion' && days !== undefined && days > 0 && days < 24
    })
    expect(unaware.map(({ id, summary }) => `${id} ${summary}`)).toEqual([])
    const briefs = rows.briefContents.filter(
      (brief) => isGenerated(brief) && brief.createdDate > (signedDate.get(brief.customerId) ?? '9999'),
    )
    const denials = /no contract yet|Nothing has been bought|have not decided|no order so far|is a prospect/
    const wrong = briefs.map((brief) => texts.briefContent(brief, data)).filter((text) => denials.test(text))
    expect(wrong.map((text) => text.split('\n')[0])).toEqual([])
  })

  it('each quarter of a product is reviewed once, and reviews are weeks apart', () => {
    const times = new Map<string, number[]>()
    for (const { customerId, topic, startDate } of meetings) {
      if (!/^(?:Quarterly business review|Business review|QBR)/.test(topic)) continue
      const name = `${customerId} ${topic.split(': ').at(-1)}`
      times.set(name, [...(times.get(name) ?? []), Date.parse(startDate)])
    }
    const gaps = [...times.values()].flatMap((list) => {
      const sorted = list.toSorted((a, b) => a - b)
      return sorted.slice(1).map((timeMs, index) => timeMs - (sorted[index] ?? 0))
    })
    expect(gaps.length).toBeGreaterThan(10)
    expect(Math.min(...gaps)).toBeGreaterThan(40 * DAY)
  })

  it('a customer has at most one review in two weeks, whatever it is about', () => {
    const reviews = group(
      meetings.filter(({ topic }) => /^(?:Quarterly business|Business) review|^QBR/.test(topic)),
    )
    const close = customers.flatMap(({ id }) => {
      const times = reviews(id)
        .map(({ startDate }) => Date.parse(startDate))
        .toSorted((a, b) => a - b)
      return times.slice(1).flatMap((timeMs, index) => (timeMs - (times[index] ?? 0) < 14 * DAY ? [id] : []))
    })
    expect(close).toEqual([])
  })

  it('the score of the last survey and the health of a customer are not worlds apart', () => {
    const wrong = customers.flatMap(({ id, customFields }) => {
      const [survey, health] = ['npsScore', 'healthScore'].map(
        (name) => customFields.find(({ key }) => key === name)?.value,
      )
      const areNumbers = typeof survey === 'number' && typeof health === 'number'
      return areNumbers && Math.abs(survey * 10 - health) > 40 ? [`${id}: ${survey}, ${health}`] : []
    })
    expect(wrong).toEqual([])
  })

  it('no check-in takes place while a product is rolled out', () => {
    const wrong = meetings.filter(({ topic, customerId, startDate }) => {
      const product = rows.products.find(({ name }) => topic.endsWith(`: ${name}`))
      const entry = data.get('customers', customerId)?.products.find(({ key }) => key === product?.key)
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
      const employees = data.get('customers', customerId)?.employeeCount ?? 0
      return people !== undefined && Number(people) > Math.max(2, Math.min(15, employees * 0.12))
    })
    expect(wrong.map(({ summary }) => summary)).toEqual([])
  })

  it('usage that is flat stays about the same, and agrees with the metrics', () => {
    const shares = new Map<string, { readonly at: number; readonly percent: number }[]>()
    for (const { customerId, topic, summary, startDate } of meetings) {
      const percent = /(?:flat at|came back to|people,) (\d+)%/.exec(summary ?? '')?.[1]
      const name = `${customerId} ${topic.split(': ').at(-1)}`
      if (percent !== undefined) {
        const at = Date.parse(startDate)
        shares.set(name, [...(shares.get(name) ?? []), { at, percent: Number(percent) }])
      }
    }
    const pairs = [...shares.values()].flatMap((list) =>
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
    expect(talks.some(({ meeting }) => getMetric(meeting.customerId, 'adoptionRate') !== undefined)).toBe(
      true,
    )
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
    const wrong = meetings.filter(
      ({ topic, customerId, startDate }) =>
        topic.startsWith('Discovery') &&
        meetings.some(
          (other) =>
            other.customerId === customerId &&
            /^(?:Demo|Introduction)/.test(other.topic) &&
            other.topic.split(': ').at(-1) === topic.split(': ').at(-1) &&
            other.startDate < startDate,
        ),
    )
    expect(wrong.map(({ id, topic }) => `${id} ${topic}`)).toEqual([])
  })

  it('a prospect buys the product that was likely', () => {
    const unlikely = rows.notes.filter(isGenerated).flatMap(({ customerId, content }) => {
      const likely = /^Likely first product for [^:]*: ([^.]+)\./.exec(content)?.[1]
      const bought = data.get('customers', customerId)?.products.map(({ key }) => key) ?? []
      const keys = rows.products.filter(({ name }) => name === likely).map(({ key }) => key)
      return likely === undefined || bought.length === 0 || keys.some((key) => bought.includes(key))
        ? []
        : [`${customerId} ${content}`]
    })
    expect(unlikely).toEqual([])
  })

  it('goals fit what a customer can buy', () => {
    const wrong = customers.filter(({ organizationId, customFields }) => {
      const goal = customFields.find(({ key }) => key === 'successGoal')?.value
      const isAnalytics = /numbers|spreadsheet|reports|live data/i.test(String(goal))
      const isContracts = /contract|signing|approval|clause/i.test(String(goal))
      return organizationId === 'harbor' ? isContracts : isAnalytics
    })
    expect(wrong.map(({ id, organizationId }) => `${organizationId} ${id}`)).toEqual([])
  })
})
