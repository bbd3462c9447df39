import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { type Answering, as, crawl, customers, home, openSandbox, readControl } from '../support.ts'

const sandbox = await openSandbox()

interface Listed {
  readonly id: string
  readonly name: string | null
  readonly options: readonly unknown[]
  readonly meanings: readonly string[]
  readonly value: unknown
}

/** Lists the assumptions of a session. */
const list = (session?: string) => readControl<Listed[]>(sandbox, 'GET', '/assumptions', undefined, session)

const find = async (session: string, id: string) => (await list(session)).find((one) => one.id === id)

const readStatus = async (at: Answering) => (await as(at, 'mara').send(`${customers}?limit=0`)).status

it('lists every assumption with its options and its value', async () => {
  const all = await list()
  expect(all.length).toBeGreaterThan(35)
  for (const { options, meanings, value, name } of all) {
    expect(meanings).toHaveLength(options.length)
    expect(options.length === 0 || (options.length >= 2 && options.length <= 4)).toBe(true)
    expect(value === null).toBe(name === null)
  }
  const status = { id: 'A-06', name: 'violationStatus', options: [400, 422], value: 400 }
  expect(all).toContainEqual(expect.objectContaining(status))
})

it('overrides an assumption for one session until it is reset', async () => {
  const [one, other] = [sandbox.session(), sandbox.session()]
  await readControl(sandbox, 'PATCH', '/assumptions', { violationStatus: 422 }, one.id)
  expect([await readStatus(one), await readStatus(other)]).toEqual([422, 400])
  expect(await find(one.id, 'A-06')).toMatchObject({ value: 422 })
  await one.reset()
  expect(await readStatus(one)).toBe(400)
})

it('keeps the initial overrides of a session through a reset, and copies them to a fork', async () => {
  const first = sandbox.session({ assumptions: { createStatus: 201 } })
  await first.reset()
  for (const id of [first.id, sandbox.session({ from: first.id }).id]) {
    expect(await find(id, 'A-39')).toMatchObject({ value: 201 })
  }
})

it('describes a 400 of every operation if unknown parameters are refused', async () => {
  const session = sandbox.session({ assumptions: { unknownParameters: 'refused' } })
  expect((await as(session, 'mara').send('/members/me?colour=red')).status).toBe(400)
  const response = await sandbox.fetch('/openapi.json', { headers: { 'sandbox-session': session.id } })
  const document = await response.json()
  expect(document.paths['/members/me'].get.responses).toHaveProperty('400')
})

it('returns null for every absent value in every response', async () => {
  const client = as(await createSandbox({ size: 8, assumptions: { absentValues: 'null' } }), 'mara')
  const empty = (await crawl(client)).flatMap(({ operationId, text }) =>
    absentIn(JSON.parse(text)).map((place) => `${operationId} ${place}`),
  )
  expect(new Set(empty)).toEqual(new Set())
  const automations = await client.get<{ deactivatedDate: string | null }[]>(`${home}/automations`)
  expect(automations.map(({ deactivatedDate }) => deactivatedDate)).toContain(null)
})

it('takes members without a manager back as it shows them, alone or in a customer', async () => {
  const { data } = await createSandbox({ size: 8, assumptions: { absentValues: 'null' } })
  const top = await data.members.get(6)
  expect(top.managerId).toBeNull()
  expect(await data.members.put(top)).toEqual(top)
  expect((await data.members.patch(3, { managerId: null })).managerId).toBeNull()
  const { memberRoles } = await data.customers.patch(1, { memberRoles: [{ key: 'csm', members: [6] }] })
  expect(memberRoles[0]?.members[0]?.managerId).toBeNull()
  expect((await data.customers.put({ id: 1, memberRoles })).memberRoles).toEqual(memberRoles)
})

/** Finds the fields of a response with an empty text, or with a lookup's "none" entry. */
function absentIn(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === '' ? [place] : []
  if ('name' in value && /^(?:Not dismissed|No \w+)$/.test(String(value.name))) return [place]
  return Object.entries(value).flatMap(([name, part]) =>
    absentIn(part, Array.isArray(value) ? place : `${place}.${name}`),
  )
}
