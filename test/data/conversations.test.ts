import { describe, expect, it } from 'vitest'

import { DAY, mediumTenants } from './tenants.ts'

describe.each(mediumTenants)('$name', ({ rows, talks, findEntry }) => {
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
