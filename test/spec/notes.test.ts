import { expect, it } from 'vitest'

import type { CustomerNote, NoteCategory } from '../../src/index.ts'
import {
  as,
  type Client,
  createJsonPost,
  customers,
  expectInvalid,
  expectProblem,
  notes,
  openSandbox,
} from '../support.ts'
import { openWith, readIds, readItems } from './support.ts'

const fixture = {
  extends: 'empty',
  noteCategories: [
    { id: 90, name: 'Training', isActive: true },
    { id: 91, name: 'Fax', isActive: false },
  ],
  customers: [{ id: 1, updatedDate: '2026-01-10T08:00:00.000Z' }, { id: 2 }],
}
const written = {
  id: 5,
  customerId: 1,
  categoryId: 90,
  content: 'Trained six people.',
  createdById: 2,
  createdDate: '2026-01-05T08:00:00.000Z',
  updatedDate: '2026-01-06T08:00:00.000Z',
}

const open = (...given: readonly object[]): Promise<Client> => openWith({ ...fixture, notes: given })

const called = { categoryId: 90, content: 'Called.' }

it('lists notes by id, by limit and offset (assumed A-18)', async () => {
  const mara = await open({ ...written, id: 9 }, written, { ...written, id: 7 })
  expect(await mara.get(`${notes}?limit=1&offset=1`)).toMatchObject({ items: [{ id: 7 }], totalCount: 3 })
})

it('returns 200 and the new note, in the caller’s name and at the clock’s time (assumed A-18, A-39)', async () => {
  const at = '2026-02-03T04:05:06.789Z'
  const theo = as(await openSandbox({ fixture, now: at }), 'theo')
  const response = await theo.send(notes, createJsonPost(called))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  const note = (await response.json()) as CustomerNote
  const category = { id: 90, name: 'Training' }
  const expected = { id: note.id, customerId: 1, category, content: 'Called.', createdById: 2 }
  expect(JSON.stringify(note)).toBe(JSON.stringify({ ...expected, createdDate: at, updatedDate: at }))
})

it('lists a new note at once, for every member of the organization', async () => {
  const sandbox = await openSandbox({ fixture })
  const note = await as(sandbox, 'mara').post<CustomerNote>(notes, called)
  expect(await readItems(as(sandbox, 'theo'), 'customers/1/notes')).toEqual([note])
})

it('gives new notes ascending ids above the existing ones, unless one has the largest (assumed A-18)', async () => {
  const mara = await open(written)
  expect(await mara.post(notes, called)).toMatchObject({ id: 6 })
  expect(await mara.post(`${customers}/2/notes`, called)).toMatchObject({ id: 7 })
  const other = await open({ ...written, id: 9_007_199_254_740_991 }, written)
  expect(await other.post(notes, called)).toMatchObject({ id: 6 })
})

it('creates two notes if the same one is sent twice (assumed A-18)', async () => {
  const mara = await open()
  await mara.post(notes, called)
  await mara.post(notes, called)
  expect(await readIds(mara, 'customers/1/notes')).toHaveLength(2)
})

it('does not change the customer’s updatedDate (assumed A-32)', async () => {
  const mara = await open()
  await mara.post(notes, called)
  expect(await mara.get(`${customers}/1`)).toMatchObject({ updatedDate: '2026-01-10T08:00:00.000Z' })
})

it('accepts every listed category', async () => {
  const mara = await open()
  for (const category of await readItems<NoteCategory>(mara, 'note-categories')) {
    expect(await mara.post(notes, { ...called, categoryId: category.id })).toMatchObject({ category })
  }
})

it('keeps whitespace, markup and line breaks in content (assumed A-18)', async () => {
  const mara = await open()
  const content = '  <b>"Köln" & \\n</b>\r\n\t\u2028 '
  await mara.post(notes, { ...called, content })
  expect(await mara.get(notes)).toMatchObject({ items: [{ content }] })
})

it('rejects a category that is inactive, unknown or of another organization (assumed A-18)', async () => {
  const sandbox = await openSandbox({ fixture })
  const [foreign] = await as(sandbox, 'omar').get<NoteCategory[]>('/organizations/quill/note-categories')
  const mara = as(sandbox, 'mara')
  for (const categoryId of [91, 9_007_199_254_740_991, foreign?.id]) {
    await expectInvalid(await mara.send(notes, createJsonPost({ ...called, categoryId })), 'body categoryId')
  }
  expect(await mara.get(notes)).toMatchObject({ totalCount: 0 })
})

const inexact =
  'must be exact in double precision (got 9007199254740993); shorten it, or write it as a string if the field takes one'

it.each([
  ['an unknown field', '"categoryId":90,"contents":"x"', 'contents', 'is not known. Did you mean content?'],
  ['a category of 1.5', '"categoryId":1.5', 'categoryId', 'must be a whole number'],
  ['a category of 9007199254740993', '"categoryId":9007199254740993', 'categoryId', inexact],
])('rejects %s, and says what is right instead (assumed A-18)', async (_, given, name, message) => {
  const body = `{"content":"Called.",${given}}`
  const response = await (await open()).send(notes, { ...createJsonPost({}), body })
  const { errors } = await expectProblem(response, 'invalid_request')
  expect(errors).toEqual([{ in: 'body', name, message }])
})

it('rejects a body that is not an object (assumed A-18)', async () => {
  const mara = await open()
  for (const body of [null, [], 'Called.', 7]) {
    await expectInvalid(await mara.send(notes, createJsonPost(body)), 'body ')
  }
})

it('responds briefly to a body with very many unknown fields (assumed A-18)', async () => {
  const fields = Array.from({ length: 10_000 }, (_, index) => [`${'x'.repeat(80)}${index}`, 1])
  const response = await (await open()).send(notes, createJsonPost(Object.fromEntries(fields)))
  expect(response.status).toBe(400)
  expect((await response.text()).length).toBeLessThan(10_000)
})
