import { describe, expect, it } from 'vitest'

import { removeLegalForm } from '../../seed/customers/stages.ts'
import { countEach, group, isGenerated, mediumTenants } from './tenants.ts'

/** Measures which share of values are not unique. */
const measureRepetition = (values: readonly string[]): number =>
  [...countEach(values).values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0) / values.length

const splitSentences = (text: string): string[] => text.split(/(?<=[.!?]) /)

describe.each(mediumTenants)('$name', ({ rows, whole, customers, talks }) => {
  const meetingsOf = group(whole.meetings.filter(isGenerated))
  const signalsOf = group(rows.signals.filter(isGenerated))
  const notesOf = group(rows.notes.filter(isGenerated))

  it('no text contains a placeholder, filler text or a missing value', () => {
    const texts = Object.values(whole).flatMap((list) => list.map((row) => JSON.stringify(row)))
    expect(texts.filter((text) => /[Ll]orem|ipsum|undefined|NaN|\[object|\$\{|TO[D]O/.test(text))).toEqual([])
  })

  it('texts about a small company mention no sites, departments or more people than it has', () => {
    const wrong = customers
      .filter(({ employeeCount }) => employeeCount < 20)
      .flatMap(({ id, employeeCount }) => {
        const all = [
          ...signalsOf(id).flatMap((row) => [
            row.summary,
            row.severityExplanation,
            row.latestNote,
            row.outcomeNotes,
          ]),
          ...meetingsOf(id).flatMap(({ topic, summary, nextSteps, transcript = [] }) => [
            topic,
            summary,
            ...nextSteps,
            ...transcript.map(({ text }) => text),
          ]),
          ...notesOf(id).map(({ content }) => content),
        ]
        return all.filter((text) => {
          const people = /\b(\d+) (?:people|users|colleagues|analysts|planners|managers|seats|licenses)/.exec(
            text ?? '',
          )
          return (
            /second site|other sites?|departments?\b|the board|acquired compan|procurement|legal team/i.test(
              text ?? '',
            ) || Number(people?.[1] ?? 0) > employeeCount
          )
        })
      })
    expect(wrong).toEqual([])
  })

  it('at most 85 % of a company work with one thing, in its metrics and in what is written about it', () => {
    const wrong = customers.flatMap(({ id, employeeCount, products }) => {
      const most = Math.max(2, employeeCount * 0.85)
      const metrics = products.flatMap((entry) => entry.metrics.filter(({ key }) => key === 'activeUsers'))
      const texts = signalsOf(id).flatMap((row) => [row.summary, row.severityExplanation, row.latestNote])
      const counts = texts.flatMap((text) =>
        // A price list names seats that nobody has yet.
        [
          ...(text ?? '').matchAll(
            /\b([\d,]+) (?:people|users|colleagues|analysts|planners|managers|seats) (?:have|today|use)/g,
          ),
        ],
      )
      return [
        ...metrics
          .filter(({ value }) => Number(value) > most)
          .map(({ value }) => `${id}: ${Number(value)} active`),
        ...counts
          .filter(([, n = '']) => Number(n.replaceAll(',', '')) > most)
          .map(([text]) => `${id}: ${text}`),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('companies have names of their countries', () => {
    const english =
      /\b(?:Freight|Haulage|Shipping|Clinics|Outfitters|Stores|Payments|Wealth|Foods|Bakeries|Schools|Press|Studios|Builders|Timber|Travel|Labs|Trials|Cloud|Games|Libraries|Machinery|Tooling|Brokers|Savings|Dairy|Farms|Utilities|Steel|Motors)$/
    const abroad = /^(?:Mexico|Brazil|Germany|France|Spain|Netherlands|Sweden|Poland|Italy)$/
    const there = customers.filter(({ country }) => abroad.test(country))
    expect(there.length).toBeGreaterThan(50)
    expect(there.map(({ name }) => removeLegalForm(name)).filter((name) => english.test(name))).toEqual([])
    const domains = rows.customers.map(({ organizationId, domain }) => `${organizationId} ${domain}`)
    expect(new Set(domains).size).toBe(domains.length)
  })

  it('a meeting does not contradict itself', () => {
    const wrong = rows.meetings.filter(({ topic, summary, nextSteps }) => {
      const [text, steps] = [summary ?? '', nextSteps.join('\n')]
      return (
        (/could not be reproduced/.test(text) && /test the fix/.test(steps)) ||
        (text.startsWith('Planned for') && /whether .* is planned/.test(steps)) ||
        (topic.startsWith('Introduction') && text.startsWith('Second look'))
      )
    })
    expect(wrong.map(({ topic, summary }) => `${topic}: ${summary}`)).toEqual([])
  })

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
    const frequent = [...heard].filter(([, times]) => times > 0.08 * talks.length)
    expect(frequent).toEqual([])
  })
})
