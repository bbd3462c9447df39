import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { formatMonth } from '../../seed/texts/format.ts'
import signalTexts from '../../seed/texts/signals.json' with { type: 'json' }
import { splitTemplate } from '../../seed/texts/templates.ts'
import { DAY, isGenerated } from './support.ts'
import { group, tenants } from './tenants.ts'

/** Reports whether a text contains the fixed parts of a template. */
const contains = (text: string, template: string): boolean =>
  splitTemplate(template).every((part, place) => place % 2 === 1 || text.includes(part.trim()))

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September']
const monthNames = new RegExp(`\\b(${[...months, 'October', 'November', 'December'].join('|')})\\b`)

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

  it('in long meetings, people interrupt each other and come back to what they have talked about', () => {
    const long = talks.filter(({ lines }) => lines.length > 70)
    expect(long.length).toBeGreaterThan(20)
    const count = (pattern: RegExp) =>
      long.filter(({ lines }) => lines.some((line) => pattern.test(line))).length
    expect(count(/^(?:Wait, before|Hold on, |Sorry, |Let me stop|If I may|Let me step in)/)).toBeGreaterThan(
      0.8 * long.length,
    )
    expect(
      count(/^(?:Can I go back to|One more thing about|I'm still thinking about|Let me jump back)/),
    ).toBeGreaterThan(0.8 * long.length)
    const returns =
      /^(?:Can I go back to|One more thing about|I'm still thinking about) the renewal of (\S+):/
    const early = long.filter(({ lines }) => {
      const place = lines.findIndex((line) => returns.test(line))
      return place !== -1 && !lines.slice(0, place).some((line) => /until|up again|\d{4}/.test(line))
    })
    expect(early.map(({ meeting }) => meeting.id)).toEqual([])
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

  it('in a meeting to which half of the people came, nobody speaks of all of them', () => {
    const half = talks.filter(({ meeting }) => meeting.summary?.startsWith('Half of the'))
    expect(half.filter(({ lines }) => lines.some((line) => /\bAll \d+/.test(line)))).toEqual([])
  })

  it('figures in transcripts are not of months to come', () => {
    const wrong = talks.flatMap(({ meeting, lines }) => {
      const month = new Date(meeting.startDate).getUTCMonth()
      return lines.filter((line) => {
        const named = /(?:is at|stands at|shows) [\d,]+(?: percent)? for (\w+)/.exec(line)?.[1] ?? ''
        return monthNames.test(named) && [0, 1].some((shift) => months[(month + shift) % 12] === named)
      })
    })
    expect(wrong).toEqual([])
  })

  it('nobody asks the same question twice in a meeting', () => {
    const wrong = talks.flatMap(({ meeting, lines }) => {
      const questions = lines.filter((line) => line.endsWith('?'))
      const twice = questions.filter((line, place) => questions.indexOf(line) !== place)
      return twice.map((line) => `${meeting.id} ${line}`)
    })
    expect(wrong).toEqual([])
  })

  it('nobody calls a renewal of the coming weeks far off', () => {
    const wrong = talks.flatMap(({ meeting, lines }) =>
      lines.filter((line) => {
        const day = /^(?:It's |The date is )?(\d+ \w+ \d{4}).*(?:there's time|well before|weeks ahead)/.exec(
          line,
        )?.[1]
        return day !== undefined && Date.parse(`${day} UTC`) - Date.parse(meeting.startDate) < 70 * DAY
      }),
    )
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
