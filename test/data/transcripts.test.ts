import { describe, expect, it } from 'vitest'

import { createTexts } from '../../seed/dataset/long-texts.ts'
import { countEach, expectNone, formatName, mean, mediumTenants, now, type Tenant } from './tenants.ts'

type Talk = Tenant['talks'][number]

/** Averages the lines in transcripts of meetings that are so many minutes long. */
function averageLines(talks: readonly Talk[], from: number, to: number): number {
  const own = talks.filter(({ meeting }) => {
    const minutes = (Date.parse(meeting.endDate) - Date.parse(meeting.startDate)) / 60_000
    return minutes >= from && minutes <= to
  })
  return mean(own.map(({ lines }) => lines.length))
}

describe.each(mediumTenants)('$name', ({ seed, talks, get }) => {
  const texts = createTexts(seed)

  it('a transcript has 8 to 150 lines, one after the other, from the first minute to the end of its meeting', () =>
    expectNone(talks, ({ meeting, spoken }) => {
      const times = spoken.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])
      const isOrdered = times.join(' ') === times.toSorted((a, b) => a - b).join(' ')
      if (!isOrdered || spoken.length < 8 || spoken.length > 150) return true
      const seconds = (Date.parse(meeting.endDate) - Date.parse(meeting.startDate)) / 1000
      const end = spoken.at(-1)?.endSeconds ?? 0
      return (spoken[0]?.startSeconds ?? 0) > 60 || end < 0.9 * seconds || end > seconds
    }))

  it('a longer meeting has more lines', () => {
    expect(averageLines(talks, 40, 60)).toBeGreaterThan(averageLines(talks, 0, 30) + 1)
    expect(averageLines(talks, 90, 90)).toBeGreaterThan(averageLines(talks, 40, 60))
  })

  it('a customer speaks in every transcript, and so does somebody of the organization, but nobody who is absent', () =>
    expectNone(talks, ({ meeting, spoken }) => {
      const theirs = new Set(meeting.contacts.map(formatName))
      const members = meeting.memberIds.flatMap((id) => get('members', id) ?? [])
      const ours = new Set([...members, ...meeting.users].map(formatName))
      const speakers = spoken.map(({ speaker }) => speaker)
      const isKnown = speakers.every((speaker) => theirs.has(speaker) || ours.has(speaker))
      return !isKnown || new Set(speakers.map((speaker) => theirs.has(speaker))).size < 2
    }))

  it('nobody says a sentence of the summary or a next step word for word', () =>
    expectNone(talks, ({ meeting, lines }) => {
      const said = lines.join(' ')
      const sentences = (meeting.summary ?? '').split(/(?<=[.!?]) /)
      const tasks = meeting.nextSteps.map((step) => step.slice(step.indexOf(': ') + 2))
      return [...sentences, ...tasks].some((text) => text.length > 12 && said.includes(text))
    }))

  it('what the summary sums up is talked about', () =>
    expectNone(talks, ({ meeting, lines }) => {
      const figures = (meeting.summary ?? '').match(/\d+(?=%| people| hours| participants| weeks)/g) ?? []
      const said = lines.join(' ')
      return figures.some(
        (figure) => !said.includes(figure) && !meeting.summary?.includes(`planned in ${figure}`),
      )
    }))

  it('a transcript stays as it was when an unrelated record changes, or the progress of a signal', () => {
    const changed: Pick<Tenant, 'get'> = {
      get: (table, id) => {
        const row = get(table, id)
        if (!row || !('severity' in row || 'memberRoles' in row || 'content' in row)) return row
        return { ...row, severity: 1, latestNote: 'New.', content: 'New.', memberRoles: [], updatedDate: now }
      },
    }
    expectNone(
      talks.filter((_, index) => index % 5 === 0),
      ({ meeting, spoken }) => JSON.stringify(texts.transcript(meeting, changed)) !== JSON.stringify(spoken),
    )
  })

  it('no exchange is shared by many transcripts', () => {
    const pairs = talks.flatMap(({ lines }) => [
      ...new Set(lines.slice(1).map((line, index) => `${lines[index]} / ${line}`)),
    ])
    /** Among a few hundred transcripts, chance alone repeats some exchange more often. */
    const most = talks.length > 2000 ? 0.035 : 0.06
    expectNone([...countEach(pairs)], ([, times]) => times > most * talks.length)
  })
})
