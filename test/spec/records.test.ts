import { expect, it } from 'vitest'

import { as, expectProblem, home, openSandbox, words } from '../support.ts'
import { readIds } from './support.ts'

const theirs = { id: 81, organizationId: 'quill' }
const brief = { key: 'renewal', name: 'Renewal', description: 'What is due.', isActive: true }
const automation = { name: 'Renewal watch', deactivatedDate: null, parentId: null, triggers: [], actions: [] }
const meeting = { startDate: '2026-01-05T08:00:00.000Z', endDate: '2026-01-05T09:00:00.000Z' }
const createdDate = '2026-01-05T08:00:00.000Z'
const log = { automationId: 71, status: 'info', message: 'Sent.', createdDate }

/** Records of both organizations, and some that belong to another parent than the path names. */
const fixture = {
  extends: 'empty',
  customers: [{ id: 1 }, { id: 2 }, theirs],
  signals: [
    { id: 1, customerId: 1 },
    { ...theirs, customerId: 81 },
  ],
  products: [
    { id: 71, key: 'atlas', name: 'Atlas' },
    { ...theirs, key: 'coral', name: 'Coral' },
  ],
  briefs: [
    { ...brief, id: 71 },
    { ...brief, ...theirs },
  ],
  customFields: [{ ...theirs, key: 'tier2', name: 'Tier', type: 'text' }],
  memberRoles: [{ ...theirs, key: 'partner', name: 'Partner manager' }],
  noteCategories: [{ ...theirs, name: 'Training', isActive: true }],
  meetings: [
    { ...meeting, id: 1, customerId: 1 },
    { ...meeting, id: 2, customerId: 2 },
  ],
  notes: [
    { id: 1, customerId: 1 },
    { id: 2, customerId: 2 },
  ],
  briefContents: [
    { id: 1, customerId: 1, briefId: 71, createdDate },
    { id: 2, customerId: 2, briefId: 71, createdDate },
    { id: 3, customerId: 1, briefId: 1, createdDate },
  ],
  automations: [
    { ...automation, id: 71, triggers: [{ id: 711 }, { id: 713 }], actions: [{ id: 712 }, { id: 714 }] },
    { ...automation, id: 72, triggers: [{ id: 721 }] },
    { ...automation, ...theirs },
  ],
  triggerLogs: [
    { ...log, id: 1, triggerId: 711 },
    { ...log, id: 2, triggerId: 713 },
  ],
  actionLogs: [
    { ...log, id: 1, actionId: 712 },
    { ...log, id: 2, actionId: 714 },
  ],
}
const sandbox = await openSandbox({ fixture })
const mara = as(sandbox, 'mara')

/** Paths to a record that another organization or parent has, and to one that does not exist. */
const pairs = [
  ['members/501', 'members/99'],
  ['customers/81', 'customers/99'],
  ['signals/81', 'signals/99'],
  ['products/81/metrics', 'products/99/metrics'],
  ['automations/81', 'automations/99'],
  ['customers/1/briefs/81/contents', 'customers/1/briefs/99/contents'],
  ['customers/2/meetings/1', 'customers/2/meetings/99'],
  ['automations/71/triggers/721/logs', 'automations/71/triggers/99/logs'],
  ['automations/71/triggers/712/logs', 'automations/99/triggers/712/logs'],
  ['automations/71/actions/711/logs', 'automations/71/actions/99/logs'],
]

it('responds alike to a record of another organization or parent and to one that does not exist (assumed A-08)', async () => {
  for (const [foreign, unknown] of pairs) {
    const problem = await expectProblem(await mara.send(`${home}/${foreign}`), 'not_found')
    expect(await expectProblem(await mara.send(`${home}/${unknown}`), 'not_found'), `at ${foreign}`).toEqual(
      problem,
    )
  }
})

it.each(
  words('members customers signals products briefs automations custom-fields member-roles note-categories'),
)('lists the %s of the caller’s organization only', async (list) => {
  const others = JSON.stringify(await as(sandbox, 'omar').get(`/organizations/quill/${list}`))
  const id = list === 'members' ? 501 : 81
  expect(await readIds(mara, list)).not.toContain(id)
  expect(others).toContain(`"id":${id},`)
})

it.each([
  ['customers/1/meetings', [1]],
  ['customers/2/meetings', [2]],
  ['customers/1/notes', [1]],
  ['customers/1/briefs/71/contents', [1]],
  ['customers/2/briefs/1/contents', []],
  ['automations/71/triggers/713/logs', [2]],
  ['automations/71/actions/714/logs', [2]],
])('lists only what belongs to each record in the path %s', async (list, ids) => {
  expect(await mara.get(`${home}/${list}`)).toMatchObject({ totalCount: ids.length })
  expect(await readIds(mara, list)).toEqual(ids)
})
