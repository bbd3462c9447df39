import { describe, expect, it } from 'vitest'

import { removeLegalForm } from '../../seed/customers/stages.ts'
import { countEach, expectNone, group, isGenerated, listTexts, mediumTenants } from './tenants.ts'

/** Measures which share of values are not unique. */
const measureRepetition = (values: readonly string[]): number =>
  [...countEach(values).values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0) / values.length

const splitSentences = (text: string): string[] => text.split(/(?<=[.!?]) /)

describe.each(mediumTenants)('$name', ({ rows, whole, customers, talks }) => {
  const meetingsOf = group(whole.meetings.filter(isGenerated))
  const signalsOf = group(rows.signals.filter(isGenerated))
  const notesOf = group(rows.notes.filter(isGenerated))

  it('no text contains a placeholder, filler text or a missing value', () =>
    expectNone(
      Object.values(whole).flatMap((list: unknown) => (Array.isArray(list) ? list : [])),
      (row) => /[Ll]orem|ipsum|undefined|NaN|\[object|\$\{|TO[D]O/.test(JSON.stringify(row)),
    ))

  it('texts about a small company mention no sites, departments or more people than it has', () => {
    const large = /second site|other sites?|departments?\b|the board|acquired compan|procurement|legal team/i
    const people = /\b(\d+) (?:people|users|colleagues|analysts|planners|managers|seats|licenses)/
    const told = customers
      .filter(({ employeeCount }) => employeeCount < 20)
      .flatMap(({ id, employeeCount }) => {
        const texts = [
          ...signalsOf(id).flatMap(listTexts),
          ...meetingsOf(id).flatMap(({ topic, summary, nextSteps, transcript = [] }) => [
            topic,
            summary ?? '',
            ...nextSteps,
            ...transcript.map(({ text }) => text),
          ]),
          ...notesOf(id).map(({ content }) => content),
        ]
        return texts.map((text) => ({ text, employeeCount }))
      })
    expectNone(
      told,
      ({ text, employeeCount }) => large.test(text) || Number(people.exec(text)?.[1] ?? 0) > employeeCount,
    )
  })

  it('at most 85 % of a company work with one thing, in its metrics and in what is written about it', () => {
    // A price list names seats that nobody has yet.
    const users =
      /\b([\d,]+) (?:people|users|colleagues|analysts|planners|managers|seats) (?:have|today|use)/g
    expectNone(customers, ({ id, employeeCount, products }) => {
      const metrics = products.flatMap((entry) => entry.metrics.filter(({ key }) => key === 'activeUsers'))
      const counts = signalsOf(id)
        .flatMap(listTexts)
        .flatMap((text) =>
          [...text.matchAll(users)].map(([, count = '']) => Number(count.replaceAll(',', ''))),
        )
      const most = Math.max(2, employeeCount * 0.85)
      return [...metrics.map(({ value }) => Number(value)), ...counts].some((count) => count > most)
    })
  })

  it('companies have names of their countries', () => {
    const english =
      /\b(?:Freight|Haulage|Shipping|Clinics|Outfitters|Stores|Payments|Wealth|Foods|Bakeries|Schools|Press|Studios|Builders|Timber|Travel|Labs|Trials|Cloud|Games|Libraries|Machinery|Tooling|Brokers|Savings|Dairy|Farms|Utilities|Steel|Motors)$/
    const abroad = /^(?:Mexico|Brazil|Germany|France|Spain|Netherlands|Sweden|Poland|Italy)$/
    const there = customers.filter(({ country }) => abroad.test(country))
    expect(there.length).toBeGreaterThan(50)
    expectNone(there, ({ name }) => english.test(removeLegalForm(name)))
  })

  it('customers of an organization share no domain', () => {
    const domains = rows.customers.map(({ organizationId, domain }) => `${organizationId} ${domain}`)
    expect(new Set(domains).size).toBe(domains.length)
  })

  it('a meeting does not contradict itself', () =>
    expectNone(rows.meetings, ({ topic, summary, nextSteps }) => {
      const [text, steps] = [summary ?? '', nextSteps.join('\n')]
      return (
        (/could not be reproduced/.test(text) && /test the fix/.test(steps)) ||
        (text.startsWith('Planned for') && /whether .* is planned/.test(steps)) ||
        (topic.startsWith('Introduction') && text.startsWith('Second look'))
      )
    }))

  it('little is said or written twice: neither in transcripts nor in signals nor in summaries', () => {
    const transcripts = whole.meetings.map(({ transcript = [] }) => transcript.map(({ text }) => text))
    const pairs = transcripts.flatMap((lines) =>
      lines.slice(1).map((line, index) => `${lines[index]} / ${line}`),
    )
    expect(measureRepetition(transcripts.flat().flatMap(splitSentences))).toBeLessThan(0.5)
    expect(measureRepetition(pairs)).toBeLessThan(0.1)
    for (const field of ['outcomeNotes', 'summary', 'severityExplanation', 'latestNote'] as const) {
      const texts = rows.signals.flatMap((signal) => signal[field] ?? [])
      expect(measureRepetition(texts)).toBeLessThan(0.15)
      const most = field === 'severityExplanation' ? 0.15 : 0.2
      expect(measureRepetition(texts.flatMap(splitSentences))).toBeLessThan(most)
    }
    const summaries = rows.meetings.flatMap(({ summary }) => summary ?? [])
    expect(measureRepetition(summaries.flatMap(splitSentences))).toBeLessThan(0.2)
  })

  it('no line is heard in more than eight of a hundred meetings', () => {
    const heard = countEach(talks.flatMap(({ lines }) => [...new Set(lines)]))
    expect(heard.size).toBeGreaterThan(1000)
    expectNone([...heard], ([, times]) => times > 0.08 * talks.length)
  })
})
