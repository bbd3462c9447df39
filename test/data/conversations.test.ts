import { describe, expect, it } from 'vitest'

import { DAY, fullName, groupBy, mediumTenants } from './tenants.ts'

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September']
const monthNames = new RegExp(`\\b(${[...months, 'October', 'November', 'December'].join('|')})\\b`)

/** The ways to interrupt, to come back to something and to change the subject, of which some are tried. */
const ways = [
  /: (?:I'd like to check it with|I should ask [^ ]+ before you quote me|I have that from) /,
  /^(?:Sorry to cut in|Quick question before we go on|Let me stop you there)/,
  /^(?:Can I ask you something|A question back|Let me turn that around), /,
  /^(?:Can I go back to|One more thing about|I'm still thinking about) /,
  /^(?:Let me jump back|Something from earlier|Before I lose it), /,
  /^Speaking of /,
  /^Staying with /,
  /^While we're on /,
  /^Something else: /,
  /^On to the next point: /,
]

const countMatches = (lines: readonly string[], pattern: RegExp): number =>
  lines.filter((line) => pattern.test(line)).length

describe.each(mediumTenants)('$name', ({ rows, talks, findEntry }) => {
  it('in long meetings, people interrupt each other and come back to what they have talked about', () => {
    const long = talks.filter(({ lines }) => lines.length > 70)
    expect(long.length).toBeGreaterThan(20)
    const count = (pattern: RegExp) =>
      long.filter(({ lines }) => lines.some((line) => pattern.test(line))).length
    const interruptions =
      /^(?:Wait, |Hold on, |Sorry, |Sorry to cut in|Quick question before|Let me stop you)/
    expect(count(interruptions)).toBeGreaterThan(0.6 * long.length)
    const returns =
      /(?:^Can I go back to|^One more thing about|^I'm still thinking about|Back to|back to|[Aa]bout) /
    expect(count(returns)).toBeGreaterThan(0.8 * long.length)
    const renewals = /^(?:Can I go back to|One more thing about|I'm still thinking about) the .* renewal:/
    const early = long.filter(({ lines }) => {
      const place = lines.findIndex((line) => renewals.test(line))
      return place !== -1 && !lines.slice(0, place).some((line) => /until|up again|\d{4}/.test(line))
    })
    expect(early.map(({ meeting }) => meeting.id)).toEqual([])
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

  it('nobody interrupts, comes back to something or changes the subject twice in the same way', () => {
    const wrong = talks.filter(({ lines }) => ways.some((way) => countMatches(lines, way) > 1))
    expect(wrong.map(({ meeting }) => meeting.id)).toEqual([])
    for (const way of ways) {
      expect(talks.filter(({ lines }) => countMatches(lines, way) > 0).length).toBeGreaterThan(9)
    }
  })

  it('customers ask about a third of the questions', () => {
    const questions = talks.flatMap(({ meeting, spoken }) => {
      const theirs = new Set(meeting.contacts.map(fullName))
      return spoken.flatMap(({ speaker, text }) => (text.endsWith('?') ? [theirs.has(speaker)] : []))
    })
    expect(questions.filter(Boolean).length / questions.length).toBeGreaterThan(0.3)
  })

  it('a call about an incident, or about the end, is about nothing else', () => {
    const other =
      /coming up for you|planning a release|change before|on vacation|has joined|best at|a normal week/
    const wrong = talks.flatMap(({ meeting, lines }) =>
      /^(?:Escalation|Incident|Offboarding|Data handover)/.test(meeting.topic)
        ? lines.filter((line) => other.test(line))
        : [],
    )
    expect(wrong).toEqual([])
  })

  it('people who are absent have names', () => {
    const unnamed = /\b(?:is|and|ask|tell|for) a colleague\b|^A colleague (?:and|has|does|would)/
    expect(talks.flatMap(({ lines }) => lines.filter((line) => unnamed.test(line)))).toEqual([])
  })

  it('a customer uses a product about as often at each of its meetings', () => {
    const told = talks.flatMap(({ meeting, lines }) =>
      lines.flatMap((line) => {
        const [, count, activity] =
          /(?:had|say|count) ([\d,]+) ([a-z ]+?) (?:a week in|in a usual|for a normal)/.exec(line) ?? []
        const name = `${meeting.customerId} ${activity}`
        return count === undefined ? [] : [{ name, count: Number(count.replaceAll(',', '')) }]
      }),
    )
    const lists = [...groupBy(told, ({ name }) => name).values()].map((list) =>
      list.map(({ count }) => count),
    )
    const several = lists.filter((list) => list.length > 1)
    expect(several.length).toBeGreaterThan(5)
    expect(several.filter((list) => Math.max(...list) > 2 * Math.min(...list))).toEqual([])
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
