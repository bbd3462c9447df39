import { expect, it } from 'vitest'

import type { Meeting } from '../../src/index.ts'
import { type Client, customers, home } from '../support.ts'
import { openWith, readIds, readItems } from './support.ts'

const person = (id: number) => ({ id, email: `p${id}@acme.example`, firstName: 'Ann', lastName: `Lee${id}` })

const begin = {
  id: 7,
  customerId: 1,
  topic: 'Kick-off',
  summary: 'We began.',
  url: 'https://meet.example/7',
  startDate: '2026-01-10T09:00:00.000Z',
  endDate: '2026-01-10T10:00:00.000Z',
}
const rest = {
  users: [person(21)],
  contacts: [person(31), person(32)],
  unmatchedParticipants: ['+47 22 00 00 00'],
  nextSteps: ['Send the plan'],
  hasTranscript: true,
  createdDate: '2026-01-05T09:00:00.000Z',
  updatedDate: '2026-01-10T10:05:00.000Z',
}
const drawn = { ...begin, memberIds: [2, 1], ...rest }
const transcript = [
  { speaker: 'Theo Brandt', text: 'Welcome.', startSeconds: 0, endSeconds: 1.5 },
  { speaker: 'Ann Lee31', text: 'Hello.', startSeconds: 2, endSeconds: 3 },
]
const kickOff = { ...drawn, transcript }

const open = (...meetings: readonly object[]): Promise<Client> =>
  openWith({ customers: [{ id: 1 }, { id: 2 }], meetings })

const list = 'customers/1/meetings'
const address = `${customers}/1/meetings/7`

it('shows a meeting with its members like other members, users and contacts with id, email, firstName and lastName, and the transcript last, which the list omits (assumed A-28, A-29)', async () => {
  const mara = await open(kickOff)
  const members = [await mara.get(`${home}/members/2`), await mara.get('/members/me')]
  const shown = { ...begin, members, ...rest }
  expect(JSON.stringify(await readItems(mara, list))).toBe(JSON.stringify([shown]))
  expect(JSON.stringify(await mara.get(address))).toBe(JSON.stringify({ ...shown, transcript }))
})

it('shows the lines of a transcript in order', async () => {
  const mara = await open(drawn)
  const { transcript: lines } = await mara.get<Meeting>(address)
  const starts = lines?.map(({ startSeconds }) => startSeconds) ?? []
  expect(starts.length).toBeGreaterThan(2)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
})

it('shows null for a missing transcript, summary or url, and empty lists without participants', async () => {
  const lists = { users: [], contacts: [], unmatchedParticipants: [], nextSteps: [] }
  const nothing = { summary: null, url: null, ...lists, hasTranscript: false }
  const mara = await open({ ...drawn, ...nothing, memberIds: [] })
  expect(await mara.get(address)).toMatchObject({ ...nothing, transcript: null, members: [] })
})

it('orders meetings by id, not by date (assumed A-03)', async () => {
  const early = { startDate: '2025-01-10T09:00:00.000Z', endDate: '2025-01-10T10:00:00.000Z' }
  expect(await readIds(await open({ ...kickOff, id: 9, ...early }, { ...kickOff, id: 8 }), list)).toEqual([
    8, 9,
  ])
})

it('returns meetings that start on or after minStartDate', async () => {
  const mara = await open(
    { ...kickOff, id: 1, startDate: '2026-01-10T08:59:59.999Z' },
    { ...kickOff, id: 2, startDate: '2026-01-10T09:00:00.000Z' },
    { ...kickOff, id: 3, startDate: '2026-01-10T09:30:00.000Z' },
  )
  expect(await readIds(mara, `${list}?minStartDate=2026-01-10T09:00Z`)).toEqual([2, 3])
  expect(await readIds(mara, `${list}?minStartDate=2026-01-10T09:00:00Z&limit=1`)).toEqual([2])
})

it('returns future meetings, with or without minStartDate', async () => {
  const next = { startDate: '2026-02-01T09:00:00.000Z', endDate: '2026-02-01T10:00:00.000Z' }
  const mara = await open({ ...drawn, ...next, hasTranscript: false })
  expect(await readIds(mara, list)).toEqual([7])
  expect(await readIds(mara, `${list}?minStartDate=2026-01-20T00:00Z`)).toEqual([7])
})
