import { expect, it } from 'vitest'

import type { Brief, BriefContent } from '../../src/index.ts'
import { as, openSandbox, type Page } from '../support.ts'

const renewal = { id: 90, key: 'renewal', name: 'Renewal', description: 'What is due.', isActive: true }
const handover = {
  id: 91,
  key: 'handover',
  name: 'Handover',
  description: 'Who knows what.',
  isActive: false,
}
const content = (id: number, createdDate: string, more: object = {}) => ({
  id,
  customerId: 1,
  briefId: 90,
  content: `# Brief ${id}`,
  createdDate,
  ...more,
})

const openWith = (...briefContents: readonly object[]) => {
  const customers = [{ id: 1 }, { id: 2 }]
  return openSandbox({ fixture: { extends: 'empty', briefs: [renewal, handover], customers, briefContents } })
}

const contents = '/organizations/harbor/customers/1/briefs/90/contents'

it('lists active brief definitions with id, key, name and description (assumed A-21)', async () => {
  const mara = as(await openWith(), 'mara')
  const { items } = await mara.get<Page<Brief>>('/organizations/harbor/briefs')
  const { isActive: _, ...shown } = renewal
  expect(JSON.stringify(items.filter(({ id }) => id >= 90))).toBe(JSON.stringify([shown]))
})

it('shows a brief content with id, briefId, customerId, content and createdDate (assumed A-22)', async () => {
  const mara = as(await openWith(content(5, '2026-01-05T08:00:00.000Z')), 'mara')
  const { items } = await mara.get<Page<BriefContent>>(contents)
  const shown = {
    id: 5,
    briefId: 90,
    customerId: 1,
    content: '# Brief 5',
    createdDate: '2026-01-05T08:00:00.000Z',
  }
  expect(JSON.stringify(items)).toBe(JSON.stringify([shown]))
})

it('lists brief contents most recent first', async () => {
  const mara = as(
    await openWith(
      content(5, '2026-01-05T08:00:00.000Z'),
      content(6, '2026-01-07T08:00:00.000Z'),
      content(7, '2026-01-06T08:00:00.000Z'),
    ),
    'mara',
  )
  const { items } = await mara.get<Page<BriefContent>>(contents)
  expect(items.map(({ id }) => id)).toEqual([6, 7, 5])
})

it('lists contents of the same moment by higher id first (assumed A-03)', async () => {
  const at = '2026-01-05T08:00:00.000Z'
  const mara = as(await openWith(content(5, at), content(6, at)), 'mara')
  const { items } = await mara.get<Page<BriefContent>>(`${contents}?limit=1`)
  expect(items.map(({ id }) => id)).toEqual([6])
})

it('lists only the contents of the given brief on the given customer', async () => {
  const at = '2026-01-05T08:00:00.000Z'
  const others = [content(6, at, { customerId: 2 }), content(7, at, { briefId: 91 })]
  const mara = as(await openWith(content(5, at), ...others), 'mara')
  expect(await mara.get(contents)).toMatchObject({ items: [{ id: 5 }], totalCount: 1 })
})

it('keeps the contents of a brief that is no longer active (assumed A-38)', async () => {
  const mara = as(await openWith(content(7, '2026-01-05T08:00:00.000Z', { briefId: 91 })), 'mara')
  const page = await mara.get('/organizations/harbor/customers/1/briefs/91/contents')
  expect(page).toMatchObject({ items: [{ id: 7 }], totalCount: 1 })
})

it('returns an empty page if the brief has no contents', async () => {
  const mara = as(await openWith(), 'mara')
  expect(await mara.get(contents)).toEqual({ items: [], totalCount: 0 })
})

it('generates a content that a fixture omits, in Markdown (assumed A-22)', async () => {
  const { content: _, ...drawn } = content(5, '2026-01-05T08:00:00.000Z')
  const mara = as(await openWith(drawn), 'mara')
  const { items } = await mara.get<Page<BriefContent>>(contents)
  expect(items[0]?.content).toMatch(/^#+ \S/m)
})
