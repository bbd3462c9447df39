import { expect, it } from 'vitest'

import { createTexts } from '../../seed/dataset/long-texts.ts'
import { type Row, tableNames } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { generated, createLookup } from '../data/generated.ts'

const texts = createTexts(42)
const size = 100
const dataset = generated({ size })
const { rows } = dataset
const data = createLookup(dataset)
const transcribed = rows.meetings.filter((meeting) => meeting.hasTranscript && !meeting.transcript)

function participants(meeting: Row<'meetings'>, reader: Reader): string[] {
  const members = meeting.memberIds.flatMap((id) => reader.get('members', id) ?? [])
  return [...members, ...meeting.users, ...meeting.contacts].map(
    ({ firstName, lastName }) => `${firstName} ${lastName}`,
  )
}

it('the speakers of a transcript are participants of its meeting, at least two', () => {
  expect(transcribed.length).toBeGreaterThan(size)
  const wrong = transcribed.filter((meeting) => {
    const speakers = new Set(texts.transcript(meeting, data).map(({ speaker }) => speaker))
    const known = new Set(participants(meeting, data))
    return speakers.size < 2 || [...speakers].some((speaker) => !known.has(speaker))
  })
  expect(wrong).toEqual([])
})

it('a transcript has 8 to 150 lines, which do not overlap', () => {
  const wrong = transcribed.filter((meeting) => {
    const lines = texts.transcript(meeting, data)
    const times = lines.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])
    const isOrdered = times.join(' ') === times.toSorted((a, b) => a - b).join(' ')
    return !isOrdered || lines.length < 8 || lines.length > 150
  })
  expect(wrong).toEqual([])
})

it('a brief begins with the customer’s own name', () => {
  const wrong = rows.briefContents.filter((content) => {
    const name = data.get('customers', content.customerId)?.name.slice(0, 6)
    return content.content === undefined && !texts.briefContent(content, data).startsWith(`# ${name}`)
  })
  expect(rows.briefContents.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

it('every log has a message, and some messages name their customer', () => {
  const messages = [...rows.triggerLogs, ...rows.actionLogs].map((log) => texts.logMessage(log, data))
  expect(messages.filter((message) => !/^\S.{8,}$/.test(message))).toEqual([])
  const names = rows.customers.map(({ name }) => name.slice(0, 9))
  const watches = new Set(
    rows.automations.filter(({ name }) => /watch|routing/.test(name)).map(({ id }) => id),
  )
  const watched = rows.triggerLogs.filter(({ automationId }) => watches.has(automationId))
  const nameless = watched.filter((log) => !names.some((name) => texts.logMessage(log, data).includes(name)))
  expect(watched.length).toBeGreaterThan(20)
  expect(nameless).toEqual([])
})

it('no text contains a placeholder, filler text or a missing value', () => {
  const all = [
    ...tableNames.flatMap((table) => rows[table].map((row) => JSON.stringify(row))),
    ...transcribed.map((meeting) => JSON.stringify(texts.transcript(meeting, data))),
    ...rows.briefContents.map((content) => texts.briefContent(content, data)),
    ...rows.triggerLogs.map((log) => texts.logMessage(log, data)),
  ]
  expect(all.filter((text) => /[Ll]orem|ipsum|undefined|NaN|\[object|\$\{|TO[D]O/.test(text))).toEqual([])
})
