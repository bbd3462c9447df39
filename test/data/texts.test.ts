import { describe, expect, it } from 'vitest'

import { removeLegalForm } from '../../seed/customers/stages.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { isGenerated } from './support.ts'
import { group, tenants } from './tenants.ts'

function countEach(counts: Map<string, number>, values: readonly string[]): void {
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
}

/** Measures which share of the occurrences is that of values with several. */
function measureRepetition(counts: ReadonlyMap<string, number>): number {
  let [repeated, total] = [0, 0]
  for (const count of counts.values()) {
    total += count
    if (count > 1) repeated += count
  }
  return repeated / total
}

/** Units: seconds. */
const isUsual = (gap: number) => gap >= 15 && gap <= 90

describe.each(tenants)('seed $seed, 300 customers', ({ seed, rows, customers, data }) => {
  const meetingsOf = group(rows.meetings.filter(isGenerated))
  const signalsOf = group(rows.signals.filter(isGenerated))
  const notesOf = group(rows.notes.filter(isGenerated))

  it('texts about a small company mention no sites, departments or more people than it has', () => {
    const texts = createTexts(seed)
    const wrong = customers
      .filter(({ employeeCount }) => employeeCount < 20)
      .flatMap(({ id, employeeCount }) => {
        const meetings = meetingsOf(id)
        const transcripts = meetings.filter(({ hasTranscript }) => hasTranscript)
        const all = [
          ...signalsOf(id).flatMap((row) => [
            row.summary,
            row.severityExplanation,
            row.latestNote,
            row.outcomeNotes,
          ]),
          ...meetings.flatMap((row) => [row.topic, row.summary, ...row.nextSteps]),
          ...notesOf(id).map(({ content }) => content),
          ...transcripts.flatMap((row) => texts.transcript(row, data).map(({ text }) => text)),
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

  it('companies have names of their countries', () => {
    const english =
      /\b(?:Freight|Haulage|Shipping|Clinics|Outfitters|Stores|Payments|Wealth|Foods|Bakeries|Schools|Press|Studios|Builders|Timber|Travel|Labs|Trials|Cloud|Games|Libraries|Machinery|Tooling|Brokers|Savings|Dairy|Farms|Utilities|Steel|Motors)$/
    const abroad = new Set([
      'Mexico',
      'Brazil',
      'Germany',
      'France',
      'Spain',
      'Netherlands',
      'Sweden',
      'Poland',
      'Italy',
    ])
    const there = customers.filter(({ country }) => abroad.has(country))
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

  it('little is said or written twice: neither in transcripts nor in signals', () => {
    const texts = createTexts(seed)
    const sentences = new Map<string, number>()
    const pairs = new Map<string, number>()
    for (const meeting of rows.meetings) {
      if (!meeting.hasTranscript) continue
      const lines = texts.transcript(meeting, data).map(({ text }) => text)
      countEach(
        sentences,
        lines.flatMap((line) => line.split(/(?<=[.!?]) /)),
      )
      countEach(
        pairs,
        lines.slice(1).map((line, index) => `${lines[index]} / ${line}`),
      )
    }
    expect(measureRepetition(sentences)).toBeLessThan(0.5)
    expect(measureRepetition(pairs)).toBeLessThan(0.1)
    for (const field of ['outcomeNotes', 'summary', 'severityExplanation'] as const) {
      const counts = new Map<string, number>()
      countEach(
        counts,
        rows.signals.flatMap((signal) => signal[field] ?? []),
      )
      expect(measureRepetition(counts)).toBeLessThan(0.15)
    }
  })

  it('a transcript has a line about every forty seconds', () => {
    const texts = createTexts(seed)
    const gaps = rows.meetings
      .filter((meeting) => isGenerated(meeting) && meeting.hasTranscript)
      .flatMap((meeting) => {
        const starts = texts.transcript(meeting, data).map(({ startSeconds }) => startSeconds)
        return starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
      })
    expect(gaps.filter(isUsual).length / gaps.length).toBeGreaterThan(0.85)
    expect(Math.max(...gaps)).toBeLessThan(400)
  })
})
