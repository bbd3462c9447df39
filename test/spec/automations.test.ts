import { expect, it } from 'vitest'

import type { Automation, AutomationSummary, TriggerLogEntry } from '../../src/index.ts'
import { as, type Client, openSandbox, type Page } from '../support.ts'

const base = { deactivatedDate: null, parentId: null, triggers: [], actions: [] }

/** An automation with a child and a grandchild. */
const automations = [
  {
    ...base,
    id: 901,
    name: 'Renewal watch',
    triggers: [{ id: 9011 }, { id: 9012 }],
    actions: [{ id: 9013 }],
  },
  { ...base, id: 902, name: 'Tell the team', parentId: 901, actions: [{ id: 9021 }] },
  { ...base, id: 903, name: 'Tell the lead', parentId: 902, triggers: [{ id: 9031 }] },
]

const openWith = (records: object = {}) =>
  openSandbox({ fixture: { extends: 'empty', automations, ...records } })

const list = '/organizations/harbor/automations'
const triggerLogs = `${list}/901/triggers/9011/logs`
const actionLogs = `${list}/901/actions/9013/logs`

async function idsIn(client: Client, path: string): Promise<number[]> {
  const { items } = await client.get<Page<TriggerLogEntry>>(path)
  return items.map(({ id }) => id)
}

const documented = ['id', 'name', 'deactivatedDate', 'triggers', 'actions', 'children']

it('shows an automation with exactly the documented fields, in order, and triggers and actions by their ids', async () => {
  const mara = as(await openWith(), 'mara')
  const automation = await mara.get<Automation>(`${list}/901`)
  expect(Object.keys(automation)).toEqual(documented)
  expect(automation.triggers).toEqual([{ id: 9011 }, { id: 9012 }])
  expect(automation.actions).toEqual([{ id: 9013 }])
})

it('shows children as automations, and theirs within them', async () => {
  const mara = as(await openWith(), 'mara')
  const { children } = await mara.get<Automation>(`${list}/901`)
  expect(children).toMatchObject([{ id: 902, name: 'Tell the team', children: [{ id: 903, children: [] }] }])
  expect(children.map((child) => Object.keys(child))).toEqual([documented])
})

it('shows the triggers and actions of children by their ids (assumed A-30)', async () => {
  const mara = as(await openWith(), 'mara')
  const { children } = await mara.get<Automation>(`${list}/901`)
  expect(children).toMatchObject([{ actions: [{ id: 9021 }], children: [{ triggers: [{ id: 9031 }] }] }])
})

it('shows when an automation was deactivated, and "" for an active one (assumed A-09)', async () => {
  const deactivatedDate = '2025-12-01T08:00:00.000Z'
  const sandbox = await openWith({
    automations: [...automations, { ...base, id: 904, name: 'Old', deactivatedDate }],
  })
  const mara = as(sandbox, 'mara')
  expect(await mara.get(`${list}/901`)).toMatchObject({ deactivatedDate: '' })
  expect(await mara.get(`${list}/904`)).toMatchObject({ deactivatedDate })
})

it('returns a child by its own id', async () => {
  const mara = as(await openWith(), 'mara')
  const { children } = await mara.get<Automation>(`${list}/901`)
  expect(await mara.get(`${list}/902`)).toEqual(children[0])
})

it('lists id, name and deactivatedDate of the automations that are not the child of another (assumed A-19)', async () => {
  const mara = as(await openWith(), 'mara')
  const summaries = await mara.get<AutomationSummary[]>(list)
  expect(summaries).toContainEqual({ id: 901, name: 'Renewal watch', deactivatedDate: '' })
  expect(summaries.map(({ id }) => id)).not.toContain(902)
  expect(new Set(summaries.flatMap((summary) => Object.keys(summary)))).toEqual(
    new Set(['id', 'name', 'deactivatedDate']),
  )
})

const log = (id: number, createdDate: string, more: object = {}) => ({
  id,
  automationId: 901,
  triggerId: 9011,
  status: 'info',
  message: `Entry ${id}`,
  createdDate,
  ...more,
})

it('shows a trigger log entry with exactly the documented fields, in order', async () => {
  const entry = log(51, '2026-01-03T08:00:00.000Z', { status: 'failed' })
  const mara = as(await openWith({ triggerLogs: [entry] }), 'mara')
  const { items } = await mara.get<Page<TriggerLogEntry>>(triggerLogs)
  const shown = { id: 51, status: 'failed', message: 'Entry 51', createdDate: '2026-01-03T08:00:00.000Z' }
  expect(JSON.stringify(items)).toBe(JSON.stringify([shown]))
})

it('lists only the log of the given trigger', async () => {
  const at = '2026-01-05T08:00:00.000Z'
  const mara = as(await openWith({ triggerLogs: [log(51, at), log(52, at, { triggerId: 9012 })] }), 'mara')
  expect(await idsIn(mara, triggerLogs)).toEqual([51])
  expect(await idsIn(mara, `${list}/901/triggers/9012/logs`)).toEqual([52])
})

it('lists an action’s log in the form of a trigger’s (assumed A-20)', async () => {
  const at = '2026-01-05T08:00:00.000Z'
  const entry = {
    id: 61,
    automationId: 901,
    actionId: 9013,
    status: 'info',
    message: 'Sent.',
    createdDate: at,
  }
  const mara = as(await openWith({ actionLogs: [entry] }), 'mara')
  const page = await mara.get(actionLogs)
  const shown = { items: [{ id: 61, status: 'info', message: 'Sent.', createdDate: at }], totalCount: 1 }
  expect(JSON.stringify(page)).toBe(JSON.stringify(shown))
})

it('shows only the states info and failed in a log', async () => {
  const mara = as(await openSandbox(), 'mara')
  const statuses = new Set<string>()
  for (const { id } of await mara.get<AutomationSummary[]>(list)) {
    const { triggers } = await mara.get<Automation>(`${list}/${id}`)
    for (const trigger of triggers) {
      const { items } = await mara.get<Page<TriggerLogEntry>>(`${list}/${id}/triggers/${trigger.id}/logs`)
      for (const { status } of items) statuses.add(status)
    }
  }
  expect(statuses).toEqual(new Set(['info', 'failed']))
})
