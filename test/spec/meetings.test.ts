import { expect, it } from 'vitest'

import type { Meeting, MeetingSummary } from '../../src/index.ts'
import { as, type Client, openSandbox, type Page } from '../support.ts'

const fields = [
  'id',
  'customerId',
  'topic',
  'summary',
  'url',
  'startDate',
  'endDate',
  'members',
  'users',
  'contacts',
  'unmatchedParticipants',
  'nextSteps',
  'hasTranscript',
  'createdDate',
  'updatedDate',
]

const person = (id: number) => ({ id, email: `p${id}@acme.example`, firstName: 'Ann', lastName: `Lee${id}` })

const kickOff = {
  id: 7,
  customerId: 1,
  topic: 'Kick-off',
  summary: 'We began.',
  url: 'https://meet.example/7',
  startDate: '2026-01-10T09:00:00.000Z',
  endDate: '2026-01-10T10:00:00.000Z',
  memberIds: [2, 1],
  users: [person(21)],
  contacts: [person(31), person(32)],
  unmatchedParticipants: ['+47 22 00 00 00'],
  nextSteps: ['Send the plan'],
  hasTranscript: true,
  createdDate: '2026-01-05T09:00:00.000Z',
  updatedDate: '2026-01-10T10:05:00.000Z',
  transcript: [
    { speaker: 'Theo Brandt', text: 'Welcome.', startSeconds: 0, endSeconds: 1.5 },
    { speaker: 'Ann Lee31', text: 'Hello.', startSeconds: 2, endSeconds: 3 },
  ],
}

const openWith = (...meetings: readonly object[]) =>
  openSandbox({ fixture: { extends: 'empty', customers: [{ id: 1 }, { id: 2 }], meetings } })

const list = '/organizations/harbor/customers/1/meetings'

async function idsFor(client: Client, query: string): Promise<number[]> {
  const { items } = await client.get<Page<MeetingSummary>>(`${list}?${query}`)
  return items.map(({ id }) => id)
}

it('returns a meeting with every documented field in order, the transcript last, and lists it without', async () => {
  const mara = as(await openWith(kickOff), 'mara')
  const { transcript, ...meeting } = await mara.get<Meeting>(`${list}/7`)
  expect(transcript).toEqual(kickOff.transcript)
  const { items } = await mara.get<Page<MeetingSummary>>(list)
  expect(JSON.stringify(items)).toBe(JSON.stringify([meeting]))
  expect(Object.keys(meeting)).toEqual(fields)
})

it('shows the texts of a meeting unchanged', async () => {
  const mara = as(await openWith(kickOff), 'mara')
  const { memberIds, ...given } = kickOff
  const { members, ...shown } = await mara.get<Meeting>(`${list}/7`)
  expect(shown).toEqual(given)
  expect(members.map(({ id }) => id)).toEqual(memberIds)
})

it('shows the members of a meeting like other members', async () => {
  const mara = as(await openWith(kickOff), 'mara')
  const { members } = await mara.get<Meeting>(`${list}/7`)
  expect(members).toEqual([await mara.get('/organizations/harbor/members/2'), await mara.get('/members/me')])
})

it('shows users and contacts with id, email, firstName and lastName (assumed A-28)', async () => {
  const mara = as(await openWith(kickOff), 'mara')
  const { users, contacts } = await mara.get<Meeting>(`${list}/7`)
  const names = ['id', 'email', 'firstName', 'lastName']
  expect([...users, ...contacts].map((one) => Object.keys(one))).toEqual([names, names, names])
})

it('shows a line of a transcript with speaker, text, startSeconds and endSeconds (assumed A-29)', async () => {
  const mara = as(await openWith(kickOff), 'mara')
  const { transcript } = await mara.get<Meeting>(`${list}/7`)
  expect(transcript?.map((line) => Object.keys(line))[0]).toEqual([
    'speaker',
    'text',
    'startSeconds',
    'endSeconds',
  ])
})

it('shows the lines of a transcript in order', async () => {
  const { transcript: _, ...drawn } = kickOff
  const mara = as(await openWith(drawn), 'mara')
  const { transcript } = await mara.get<Meeting>(`${list}/7`)
  const starts = transcript?.map(({ startSeconds }) => startSeconds) ?? []
  expect(starts.length).toBeGreaterThan(2)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
})

it('shows null for a missing transcript, summary or url, and empty lists without participants', async () => {
  const { transcript: _, ...rest } = kickOff
  const nothing = {
    summary: null,
    url: null,
    users: [],
    contacts: [],
    unmatchedParticipants: [],
    nextSteps: [],
  }
  const mara = as(await openWith({ ...rest, hasTranscript: false, memberIds: [], ...nothing }), 'mara')
  const shown = { hasTranscript: false, transcript: null, members: [], ...nothing }
  expect(await mara.get(`${list}/7`)).toMatchObject(shown)
})

it('lists the meetings of the customer only', async () => {
  const mara = as(await openWith(kickOff, { ...kickOff, id: 8, customerId: 2 }), 'mara')
  expect(await idsFor(mara, '')).toEqual([7])
  const page = await mara.get<Page<MeetingSummary>>('/organizations/harbor/customers/2/meetings')
  expect(page.items.map(({ id }) => id)).toEqual([8])
})

it('orders meetings by id, not by date (assumed A-03)', async () => {
  const early = { startDate: '2025-01-10T09:00:00.000Z', endDate: '2025-01-10T10:00:00.000Z' }
  const mara = as(await openWith({ ...kickOff, id: 9, ...early }, { ...kickOff, id: 8 }), 'mara')
  expect(await idsFor(mara, '')).toEqual([8, 9])
})

it('returns meetings that start on or after minStartDate', async () => {
  const mara = as(
    await openWith(
      { ...kickOff, id: 1, startDate: '2026-01-10T08:59:59.999Z' },
      { ...kickOff, id: 2, startDate: '2026-01-10T09:00:00.000Z' },
      { ...kickOff, id: 3, startDate: '2026-01-10T09:30:00.000Z' },
    ),
    'mara',
  )
  expect(await idsFor(mara, 'minStartDate=2026-01-10T09:00Z')).toEqual([2, 3])
  expect(await idsFor(mara, 'minStartDate=2026-01-10T09:00:00Z&limit=1')).toEqual([2])
})

it('returns future meetings, with or without minStartDate', async () => {
  const next = {
    startDate: '2026-02-01T09:00:00.000Z',
    endDate: '2026-02-01T10:00:00.000Z',
    hasTranscript: false,
  }
  const { transcript: _, ...rest } = kickOff
  const mara = as(await openWith({ ...rest, ...next }), 'mara')
  expect(await idsFor(mara, '')).toEqual([7])
  expect(await idsFor(mara, 'minStartDate=2026-01-20T00:00Z')).toEqual([7])
})
