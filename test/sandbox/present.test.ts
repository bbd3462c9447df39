import { expect, it } from 'vitest'
import * as z from 'zod'

import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { as, home, notes, type Page } from '../support.ts'

const open = (present: SandboxOptions['present'], options: SandboxOptions = {}): Promise<Sandbox> =>
  createSandbox({ size: 'small', ...options, present })

const titled = { product: ({ name, ...rest }: { readonly name: string }) => ({ ...rest, title: name }) }

it('shows records as functions present them, also within others, in the form of the assumptions', async () => {
  const sandbox = await open(
    {
      ...titled,
      note: ({ content, createdDate }) => ({ text: content, at: createdDate }),
      automationSummary: ({ deactivatedDate }) => ({ until: deactivatedDate }),
      signalSubCategory: ({ name }) => ({ label: name }),
      transcriptLine: ({ speaker, text }) => ({ line: `${speaker}: ${text}` }),
    },
    { assumptions: { timestamps: 'seconds', absentValues: 'null' } },
  )
  const mara = as(sandbox, 'mara')
  expect((await mara.get<object[]>(`${home}/products`))[0]).toEqual({
    id: 1,
    key: 'dashboards',
    title: 'Dashboards',
  })
  expect(await mara.post(notes, { categoryId: 1, content: 'Hi' })).toEqual({
    text: 'Hi',
    at: '2026-01-15T12:00:00Z',
  })
  expect(await mara.get(`${home}/automations`)).toContainEqual({ until: null })
  const { items } = await mara.get<Page<{ subCategory: object | null }>>(`${home}/signals?limit=250`)
  const subCategories = new Set(items.map(({ subCategory }) => String(Object.keys(subCategory ?? {}))))
  expect(subCategories).toEqual(new Set(['', 'label']))
  const { items: meetings } = await sandbox.data.meetings.list()
  const { id, customerId } = meetings.find(({ hasTranscript }) => hasTranscript) ?? {}
  const meeting = await mara.get<{ transcript: object[] }>(`${home}/customers/${customerId}/meetings/${id}`)
  expect(meeting.transcript[0]).toEqual({ line: expect.stringMatching(/^\w.*: \w/) })
})

it('holds in every session, and leaves arranged records as they are', async () => {
  const sandbox = await open(titled)
  const session = sandbox.session({ assumptions: { envelopes: 'all' } })
  await session.data.products.put({ id: 1, key: 'dashboards', name: 'Sails' })
  const { items } = await as(session, 'mara').get<Page<object>>(`${home}/products`)
  expect(items[0]).toEqual({ id: 1, key: 'dashboards', title: 'Sails' })
  expect(await session.data.products.get(1)).toMatchObject({ name: 'Sails' })
  await sandbox.restoreState(await session.saveState())
  expect(await as(sandbox, 'mara').get(`${home}/products`)).toEqual({ items, totalCount: items.length })
})

it('marks the record as open in the OpenAPI document, or documents the given schema', async () => {
  const schema = z.object({ id: z.int(), title: z.string() })
  const sandbox = await open({ product: { schema, present: titled.product }, brief: (brief) => brief })
  const document: unknown = await (await sandbox.fetch('/openapi.json')).json()
  const assumed = { 'x-provenance': 'assumed' }
  expect(document).toMatchObject({
    components: {
      schemas: {
        Brief: {
          type: 'object',
          properties: {},
          ...assumed,
          'x-source': 'present.brief',
          'x-assumption': 'A-21',
        },
        Product: {
          properties: { id: { type: 'integer', ...assumed }, title: { type: 'string', ...assumed } },
          required: ['id', 'title'],
          'x-source': 'present.product',
        },
      },
    },
  })
})

it.each<[fact: string, present: NonNullable<SandboxOptions['present']>, detail: string]>([
  ['throws', { product: () => ({ id: JSON.parse('{') }) }, 'product threw SyntaxError: '],
  ['returns no object', { product: () => 'x' as never }, 'product must return an object.'],
  ['is asynchronous', { product: async () => ({}) }, 'product must return an object.'],
  ['returns what JSON cannot have', { product: () => ({ id: 1n }) }, 'product threw TypeError: '],
  [
    'does not fit its schema',
    { product: { schema: z.object({ id: z.string() }), present: ({ id }) => ({ id }) } },
    'product returned an object whose id ',
  ],
  [
    'leaves out what the document shows',
    { memberRole: ({ id, key }) => ({ id, key }) },
    'memberRole returned an object whose name ',
  ],
])('responds with an error that names a function that %s', async (_, present, detail) => {
  const mara = as(await open(present), 'mara')
  const response = await mara.send(`${home}/${present.product ? 'products' : 'member-roles'}`)
  expect([response.status, await response.json()]).toEqual([
    500,
    expect.objectContaining({
      code: 'internal_error',
      detail: expect.stringContaining(`The function present.${detail}`),
    }),
  ])
  expect((await mara.send(`${home}/briefs`)).status).toBe(200)
})

it.each([
  [{ product: { title: 'name' } }, 'present.product: must be a function'],
  [{ product: { schema: z.date(), present: titled.product } }, 'present.product: must be a function'],
  [{ produkt: titled.product }, 'present.produkt: is not known. Did you mean product?'],
])('rejects %j by name', async (present, message) => {
  await expect(open(present as never)).rejects.toThrow(message)
})

it('changes nothing of the dataset if a function changes what it is given', async () => {
  const sandbox = await open({
    note: (note) => {
      note.category.name = 'Changed'
      return note
    },
  })
  const before = await sandbox.dataset.fingerprint()
  await as(sandbox, 'mara').get(notes)
  expect(await sandbox.dataset.fingerprint()).toBe(before)
})
