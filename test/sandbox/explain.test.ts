import { expect, it } from 'vitest'

import type { Customer, PartialSettings } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { Dice } from '../reliability/referee/tables.ts'
import { as, expectSame, home, openSandbox, type Page, tokens } from '../support.ts'

const sandbox = await openSandbox()
const token = tokens.theo

it.each([
  ['GET /customers', token, 200, 'id', 'there is no customer 501.'],
  ['GET /members', token, 200, 'organizationId', 'organizationId=harbor; the record has quill.'],
  ['GET /customers', tokens.omar, 403, 'organization', "is not the caller's, which is quill."],
  ['GET /members/501', token, 404, 'memberId', 'belongs to quill, but the caller belongs to harbor.'],
  ['GET /customers/987654', token, 404, 'customerId', 'there is no customer 987654.'],
  ['GET /customers/2/meetings/1', token, 404, 'meetingId', 'meeting 1 belongs to customer 1, not to'],
  ['GET /automations/1/triggers/9/logs', token, 404, 'triggerId', 'automation 1 has no trigger 9.'],
  ['GET /customers?limit=0', 'sbx_harbor_999', 401, 'token', 'the token belongs to no member.'],
  ['HEAD /customers?limit=0', token, 400, 'limit', 'limit must be greater than'],
  ['GET /customers?limit=0&memberRoleId=1', token, 400, 'limit memberRoleId', 'limit must be greater than'],
  ['GET /customer', token, 404, 'operation', 'The nearest endpoint is GET /v1'],
  ['DELETE /customers/1', token, 405, 'operation', 'GET'],
  ['POST /customers/987654/notes', token, 404, 'customerId', 'there is no customer 987654.'],
])(
  'explains %s with the token %s and the status %i by its %s: %s',
  async (call, sent, status, names, text) => {
    const [method = '', path = ''] = call.split(' ')
    const input = { method, path: `${home}${path}`, token: sent, ...(method === 'GET' && { id: 501 }) }
    const explanation = await sandbox.explain(input)
    expect(explanation).toMatchObject({ status, summary: expect.stringContaining(text) })
    const failed = explanation.conditions.filter(({ holds }) => holds === false)
    expect(failed.map(({ name }) => name).join(' ')).toBe(names)
  },
)

it('explains a POST up to its body, and writes nothing', async () => {
  const path = `${home}/customers/1/notes`
  const client = as(sandbox, 'theo')
  const before = await client.get<Page<unknown>>(path)
  const input = { method: 'POST', path, token }
  const summary = expect.stringContaining('if its body is valid')
  expect(await sandbox.explain(input)).toMatchObject({ status: 200, summary })
  await expect(sandbox.explain({ ...input, id: 1 })).rejects.toThrow('input id: must be omitted')
  expect(await client.get(path)).toEqual(before)
})

type Query = Readonly<Record<string, string>>
type Lists = Awaited<ReturnType<typeof openLists>>

/** Opens a session with assumptions in which Theo reads lists, and functions that read one and list its filters. */
async function openLists(assumptions: PartialSettings, statuses: readonly string[]) {
  const session = (await openSandbox({ size: 40 })).session({ assumptions })
  const theo = as(session, 'theo')
  const list = (path: string, query: Query) => {
    const search = new URLSearchParams({ limit: '250', ...query }).toString()
    return theo.get<Page<Customer & Query>>(`${home}${path}?${search}`)
  }
  const roles = await theo.get<{ id: number; key: string }[]>(`${home}/member-roles`)
  const statusOf = new Map<number, string>()
  for (const status of statuses) {
    for (const { id } of (await list('/customers', { status })).items) statusOf.set(id, status)
  }
  /** Lists the filters that a record meets, each by its last parameter. */
  const listFilters = (path: string, row: Customer & Query): Record<string, Query> => {
    if (path.endsWith('/meetings')) return { minStartDate: { minStartDate: row['startDate'] ?? '' } }
    const either = {
      scope: { scope: 'team' },
      status: { status: row['status'] ?? statusOf.get(row.id) ?? '' },
    }
    if (path === '/signals') return either
    const [role] = row.memberRoles
    const memberId = `${role?.members[0]?.id}`
    const memberRoleId = `${roles.find(({ key }) => key === role?.key)?.id}`
    const [{ key: sourceKey, externalId: sourceExternalId } = { key: 'none', externalId: 'none' }] =
      row.sources
    const fields = ['segment', 'domain', 'country', 'region', 'city'] as const
    return {
      ...either,
      ...(role && { memberId: { memberId }, memberRoleId: { memberId, memberRoleId } }),
      sourceExternalId: { sourceKey, sourceExternalId },
      updatedSince: { updatedSince: row.updatedDate },
      ...Object.fromEntries(fields.map((name) => [name, { [name]: row[name] }])),
    }
  }
  return { session, list, listFilters }
}

/** Expects that each condition of a random request for a list holds as the list with it alone shows. */
async function expectConditions(seed: number, { session, list, listFilters }: Lists): Promise<void> {
  const dice = new Dice(seed)
  const path = dice.pick(['/customers', '/customers', '/signals', '/customers/1/meetings'])
  const [first, ...rest] = (await list(path, {})).items
  if (!first) return
  const pick = () => dice.pick([first, ...rest])
  const row = pick()
  const own = listFilters(path, row)
  const filters = new Map<string, Query>()
  for (const [name, filter] of Object.entries(own)) {
    if (dice.chance(0.7)) continue
    filters.set(name, dice.chance(0.4) ? filter : (listFilters(path, pick())[name] ?? filter))
  }
  if (filters.has('memberRoleId')) filters.delete('memberId')
  if (dice.chance(0.5) && filters.has('scope')) filters.set('scope', { scope: 'mine' })
  const query = Object.assign({}, ...filters.values(), {
    limit: `${1 + dice.below(9)}`,
    offset: `${dice.below(9)}`,
  })
  const input = { path: `${home}${path}?${new URLSearchParams(query).toString()}`, token: tokens.theo }
  const title = `seed ${seed}: ${row.id} in ${input.path}`
  const whole = await session.explain(input)
  const { conditions, included, place, total, summary } = await session.explain({ ...input, id: row.id })
  expectSame(title, [whole.status, whole.total, whole.included], [200, total, undefined])
  const counted = whole.conditions.filter((one) => 'matchesSoFar' in one)
  const judged = conditions.filter((one) => 'matchesSoFar' in one)
  expectSame(title, judged.length, 1 + filters.size)
  const before: Record<string, string> = {}
  for (const [at, { name, holds, text, matchesSoFar }] of judged.entries()) {
    const filter = filters.get(name) ?? {}
    Object.assign(before, filter)
    const { items } = await list(path, filter)
    const { totalCount } = await list(path, before)
    const isAlone = items.some(({ id }) => id === row.id)
    expectSame(title, [name, holds, matchesSoFar], [name, isAlone, totalCount])
    expectSame(title, counted[at], { name, matchesSoFar, text: expect.any(String) })
    const sent = Object.entries(filter).map(([parameter, value]) => `${parameter}=${value || '""'}`)
    const { memberId, memberRoleId: _, scope, ...fields } = (holds === true ? filter : own[name]) ?? {}
    const facts = memberId === undefined ? Object.values(fields) : [`(${memberId}) has `]
    for (const fact of [
      ...sent,
      ...(scope === undefined ? facts : ['Theo', `on customer ${row['customerId'] ?? row.id}`]),
    ]) {
      expectSame(title, text, expect.stringContaining(fact))
    }
    if (holds === false) expectSame(title, summary.includes(text.slice(1)), true)
  }
  if (!place) return expectSame(title, included, false)
  const { position, offset = 0 } = place
  const page = await list(path, { ...query, offset: `${offset}` })
  const shown = [page.items[position - offset]?.id, page.totalCount, place.total]
  expectSame(title, shown, [row.id, total, total])
  if (included === false) expectSame(title, summary.includes(`send offset=${offset}`), true)
}

const named = ['live', 'implementation', 'lost', 'lead'] as const

it.for([
  ['as the sandbox assumes', {}, ['active', 'onboarding', 'churned', 'prospect']],
  ['with other names and teams', { customerStatuses: named, team: 'branch' }, named],
] as const)(
  'a condition holds if the list with it alone has the record, and names what the record has: %s',
  async ([, assumptions, statuses]) => {
    const lists = await openLists(assumptions, statuses)
    for (let seed = 1; seed <= chooseAmount(60, 500); seed += 1) await expectConditions(seed, lists)
  },
)

it.each(['preview', 'explain'] as const)(
  '%s takes a path as long as a server would, also after /v1',
  async (name) => {
    const path = `${home}/customers?city=${'a'.repeat(16_000)}`
    const shown = await sandbox[name]({ path, token })
    expect(shown).toMatchObject({ status: 200, request: `GET /v1${path}` })
    expect(await sandbox[name]({ path: `/v1${path}`, token })).toEqual(shown)
    const longer = sandbox[name]({ path: `${path}${'a'.repeat(800_000)}`, token })
    await expect(longer).rejects.toThrow('input path: must have at most 16384 characters')
  },
)
