import { expect, it } from 'vitest'

import type { Customer, CustomerNote, NoteCategory } from '../../src/index.ts'
import {
  as,
  createJsonPost,
  expectInvalid,
  expectProblem,
  notes,
  openSandbox,
  type Page,
} from '../support.ts'

const categories = [
  { id: 90, name: 'Training', isActive: true },
  { id: 91, name: 'Fax', isActive: false },
]
const written = {
  id: 5,
  customerId: 1,
  categoryId: 90,
  content: 'Trained six people.',
  createdById: 2,
  createdDate: '2026-01-05T08:00:00.000Z',
  updatedDate: '2026-01-06T08:00:00.000Z',
}

const openWith = (...given: readonly object[]) => {
  const customers = [{ id: 1, updatedDate: '2026-01-10T08:00:00.000Z' }, { id: 2 }]
  return openSandbox({ fixture: { extends: 'empty', noteCategories: categories, customers, notes: given } })
}

const called = { categoryId: 90, content: 'Called.' }

it('paginates the notes of a customer, each with its category (assumed A-18)', async () => {
  const mara = as(await openWith(written), 'mara')
  const { categoryId, content, createdById, ...rest } = written
  const category = { id: categoryId, name: 'Training' }
  const shown = { id: 5, customerId: 1, category, content, createdById }
  const page = {
    items: [{ ...shown, createdDate: rest.createdDate, updatedDate: rest.updatedDate }],
    totalCount: 1,
  }
  expect(JSON.stringify(await mara.get(notes))).toBe(JSON.stringify(page))
})

it('lists notes by id, by limit and offset (assumed A-18)', async () => {
  const mara = as(await openWith({ ...written, id: 9 }, written, { ...written, id: 7 }), 'mara')
  const { items, totalCount } = await mara.get<Page<CustomerNote>>(`${notes}?limit=1&offset=1`)
  expect(items.map(({ id }) => id)).toEqual([7])
  expect(totalCount).toBe(3)
})

it('lists the notes of the customer only', async () => {
  const mara = as(await openWith(written, { ...written, id: 6, customerId: 2 }), 'mara')
  expect(await mara.get(notes)).toMatchObject({ items: [{ id: 5 }], totalCount: 1 })
})

it('keeps a note whose category is no longer active (assumed A-38)', async () => {
  const mara = as(await openWith({ ...written, categoryId: 91 }), 'mara')
  expect(await mara.get(notes)).toMatchObject({ items: [{ category: { id: 91, name: 'Fax' } }] })
})

it('returns 200 and the new note (assumed A-39)', async () => {
  const mara = as(await openWith(), 'mara')
  const response = await mara.send(notes, createJsonPost(called))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
})

it('creates a note in the caller’s name, at the clock’s time (assumed A-18)', async () => {
  const fixture = { extends: 'empty', noteCategories: categories, customers: [{ id: 1 }] }
  const theo = as(await openSandbox({ fixture, now: '2026-02-03T04:05:06.789Z' }), 'theo')
  const note = await theo.post<CustomerNote>(notes, called)
  const at = '2026-02-03T04:05:06.789Z'
  const category = { id: 90, name: 'Training' }
  const expected = { id: note.id, customerId: 1, category, content: 'Called.', createdById: 2 }
  expect(JSON.stringify(note)).toBe(JSON.stringify({ ...expected, createdDate: at, updatedDate: at }))
})

it('lists a new note at once, for every member of the organization', async () => {
  const sandbox = await openWith(written)
  const note = await as(sandbox, 'mara').post<CustomerNote>(notes, called)
  const { items } = await as(sandbox, 'theo').get<Page<CustomerNote>>(notes)
  expect(items.at(-1)).toEqual(note)
})

it('gives new notes ascending ids above the existing ones, unless one has the largest (assumed A-18)', async () => {
  const mara = as(await openWith(written), 'mara')
  const first = await mara.post<CustomerNote>(notes, called)
  const second = await mara.post<CustomerNote>('/organizations/harbor/customers/2/notes', called)
  expect([first.id, second.id]).toEqual([6, 7])
  const other = as(await openWith({ ...written, id: 9_007_199_254_740_991 }, written), 'mara')
  expect(await other.post(notes, called)).toMatchObject({ id: 6 })
})

it('creates two notes if the same one is sent twice (assumed A-18)', async () => {
  const mara = as(await openWith(), 'mara')
  await mara.post(notes, called)
  await mara.post(notes, called)
  expect(await mara.get(notes)).toMatchObject({ totalCount: 2 })
})

it('does not change the customer’s updatedDate (assumed A-32)', async () => {
  const mara = as(await openWith(), 'mara')
  await mara.post(notes, called)
  const { updatedDate } = await mara.get<Customer>('/organizations/harbor/customers/1')
  expect(updatedDate).toBe('2026-01-10T08:00:00.000Z')
})

it('accepts every listed category', async () => {
  const mara = as(await openWith(), 'mara')
  const listed = await mara.get<NoteCategory[]>('/organizations/harbor/note-categories')
  for (const category of listed) {
    expect(await mara.post(notes, { ...called, categoryId: category.id })).toMatchObject({ category })
  }
})

it('rejects a category that is inactive, unknown or of another organization (assumed A-18)', async () => {
  const sandbox = await openWith()
  const [foreign] = await as(sandbox, 'omar').get<NoteCategory[]>('/organizations/quill/note-categories')
  const mara = as(sandbox, 'mara')
  for (const categoryId of [91, 9_007_199_254_740_991, foreign?.id]) {
    await expectInvalid(await mara.send(notes, createJsonPost({ ...called, categoryId })), 'body categoryId')
  }
  expect(await mara.get(notes)).toMatchObject({ totalCount: 0 })
})

it('keeps whitespace, markup and line breaks in content (assumed A-18)', async () => {
  const mara = as(await openWith(), 'mara')
  const content = '  <b>"Köln" & \\n</b>\r\n\t\u2028 '
  await mara.post(notes, { ...called, content })
  expect(await mara.get(notes)).toMatchObject({ items: [{ content }] })
})

it('rejects a body with an unknown field, and suggests the nearest known one (assumed A-18)', async () => {
  const mara = as(await openWith(), 'mara')
  const response = await mara.send(notes, createJsonPost({ ...called, contents: 'x' }))
  expect(await response.clone().json()).toMatchObject({
    errors: [{ in: 'body', name: 'contents', message: 'is not known. Did you mean content?' }],
  })
  await expectInvalid(response, 'body contents')
})

it.each([
  ['1.5', 'must be a whole number'],
  [
    '9007199254740993',
    'must be exact in double precision (got 9007199254740993); shorten it, or write it as a string if the field takes one',
  ],
])('says what the category %s must be instead (assumed A-18)', async (categoryId, message) => {
  const mara = as(await openWith(), 'mara')
  const body = `{"categoryId":${categoryId},"content":"Called."}`
  const response = await mara.send(notes, { ...createJsonPost({}), body })
  expect((await expectProblem(response, 'invalid_request')).errors).toEqual([
    { in: 'body', name: 'categoryId', message },
  ])
})

it('rejects a body that is not an object (assumed A-18)', async () => {
  const mara = as(await openWith(), 'mara')
  for (const body of [null, [], 'Called.', 7]) {
    await expectInvalid(await mara.send(notes, createJsonPost(body)), 'body ')
  }
})

it('responds briefly to a body with very many unknown fields (assumed A-18)', async () => {
  const mara = as(await openWith(), 'mara')
  const members = Array.from({ length: 10_000 }, (_, index) => [`${'x'.repeat(80)}${index}`, 1])
  const response = await mara.send(notes, createJsonPost(Object.fromEntries(members)))
  expect(response.status).toBe(400)
  expect((await response.text()).length).toBeLessThan(10_000)
})
