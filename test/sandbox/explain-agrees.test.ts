import { expect, it, onTestFinished, vi } from 'vitest'

import type { Customer, PartialSettings, ScenarioInput } from '../../src/index.ts'
import { endpoints } from '../../src/service/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { Dice } from '../reliability/referee/tables.ts'
import { World } from '../reliability/referee/world.ts'
import { as, home, openSandbox, overrides, type Page, tokens } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const { rows } = sandbox.dataset
const reads = endpoints.filter(({ method }) => method === 'GET')

/** Reads the ids in a response of any form. */
const readIds = (status: number, body: unknown): readonly unknown[] =>
  status === 200 ? [Object(body).items ?? body].flat().map((row) => Object(row).id) : []

const queries = [
  '',
  '?limit=3&offset=1',
  '?scope=team&status=active',
  '?memberId=1&memberRoleId=1&limit=2',
  '?updatedSince=2026-01-01T00:00Z&scope=mine&offset=1',
]

const others = [
  'customer',
  'customers/987654',
  'customers?limit=0&memberRoleId=1',
  'customers?colour=red&limit=1',
]

/** Lists requests of each operation with different queries, some more that are errors or warned of, and the ids of their records. */
function* listRequests() {
  for (const token of [tokens.mara, tokens.omar]) {
    for (const { path, resource } of reads) {
      const all: readonly { readonly id: number }[] = rows[resource.table]
      for (const row of [...all.slice(0, 1), ...all.slice(-1)]) {
        const values: Readonly<Record<string, unknown>> = { ...row }
        const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? values['id']))
        for (const query of queries) yield { path: `${named}${query}`, token, id: row.id }
      }
    }
  }
  for (const token of [tokens.mara, tokens.omar, 'sbx_expired']) {
    for (const path of others) yield { path: `/organizations/harbor/${path}`, token, id: 1 }
  }
}

const anyText: unknown = expect.any(String)

it.each([
  ['as the sandbox assumes', {}],
  ['with every assumption overridden', overrides],
])('explanations and previews agree with the response: %s', async (_, assumptions) => {
  const session = sandbox.session({ assumptions })
  for (const { path, token, id } of listRequests()) {
    const response = await session.fetch(`/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
    const body: unknown = await response.json()
    expect(await session.preview({ path, token }), `${token}: ${path}`).toEqual({
      request: `GET /v1${path}`,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
      warnings: response.headers.has('sandbox-warning') ? [anyText] : [],
    })
    const isThere = readIds(response.status, body).includes(id)
    const explanation = await session.explain({ path, token, id })
    expect(explanation, `${token}: ${path}`).toMatchObject({ status: response.status, included: isThere })
    const holdsAll = explanation.conditions.every(({ holds }) => holds)
    expect(holdsAll, `${token}: ${path}: ${explanation.summary}`).toBe(
      isThere || explanation.place !== undefined,
    )
  }
})

type Query = Readonly<Record<string, string>>

const seeds = Array.from({ length: chooseAmount(24, 1_000) }, (_, at) => at + 1)

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

const named = ['live', 'implementation', 'lost', 'lead'] as const

it.for([
  ['as the sandbox assumes', {}, ['active', 'onboarding', 'churned', 'prospect']],
  ['with other names and teams', { customerStatuses: named, team: 'branch' }, named],
] as const)(
  'a condition holds if the list with it alone has the record, and names what the record has: %s',
  async ([, assumptions, statuses]) => {
    const { session, list, listFilters } = await openLists(assumptions, statuses)
    for (const seed of seeds) {
      const dice = new Dice(seed)
      const path = dice.pick(['/customers', '/customers', '/signals', '/customers/1/meetings'])
      const [first, ...others] = (await list(path, {})).items
      if (!first) continue
      const pick = () => dice.pick([first, ...others])
      const row = pick()
      const own = listFilters(path, row)
      const filters = new Map<string, Query>()
      for (const [name, filter] of Object.entries(own)) {
        if (dice.chance(0.7)) continue
        filters.set(name, dice.chance(0.4) ? filter : (listFilters(path, pick())[name] ?? filter))
      }
      if (filters.has('memberRoleId')) filters.delete('memberId')
      if (dice.chance(0.5) && filters.has('scope')) filters.set('scope', { scope: 'mine' })
      const query = { limit: `${1 + dice.below(9)}`, offset: `${dice.below(9)}` }
      const sent = Object.assign({}, query, ...filters.values())
      const input = { path: `${home}${path}?${new URLSearchParams(sent).toString()}`, token: tokens.theo }
      const title = `seed ${seed}: ${row.id} in ${input.path}`
      const whole = await session.explain(input)
      const { conditions, included, place, total, summary } = await session.explain({ ...input, id: row.id })
      expect(whole, title).toMatchObject({ status: 200, total })
      expect(whole, title).not.toHaveProperty('included')
      const counted = whole.conditions.filter((one) => 'matchesSoFar' in one)
      const judged = conditions.filter((one) => 'matchesSoFar' in one)
      expect(judged.length, title).toBe(1 + filters.size)
      let before: Query = {}
      for (const [at, { name, holds, text, matchesSoFar }] of judged.entries()) {
        const filter = filters.get(name) ?? {}
        before = { ...before, ...filter }
        const { items } = await list(path, filter)
        const { totalCount } = await list(path, before)
        const isAlone = items.some(({ id }) => id === row.id)
        expect([name, holds, matchesSoFar], title).toEqual([name, isAlone, totalCount])
        expect(counted[at], title).toEqual({ name, matchesSoFar, text: expect.any(String) })
        for (const [parameter, value] of Object.entries(filter))
          expect(text, title).toContain(`${parameter}=${value || '""'}`)
        const { memberId, memberRoleId, scope, ...fields } = (holds === true ? filter : own[name]) ?? {}
        const facts = memberId === undefined ? Object.values(fields) : [`(${memberId}) has `]
        for (const fact of scope === undefined ? facts : ['Theo']) expect(text, title).toContain(fact)
        if (holds === false) expect(summary, title).toContain(text.slice(1))
      }
      if (!place) {
        expect(included, title).toBe(false)
        continue
      }
      const { position, offset = 0 } = place
      const page = await list(path, { ...sent, offset: `${offset}` })
      expect([page.items[position - offset]?.id, page.totalCount, place.total], title).toEqual([
        row.id,
        total,
        total,
      ])
      if (included === false) expect(summary, title).toContain(`send offset=${offset}`)
    }
  },
)

/** Scenarios that refuse or hide what the service has, besides those of every world. */
const refusals: readonly [ScenarioInput, ...ScenarioInput[]] = [
  { name: 'scope-narrowed', after: 0, scope: 'mine' },
  { name: 'token-revoked', after: 0 },
  { name: 'daily-quota', requests: 1 },
]

it('a request is previewed and explained, before and later, as it is answered, whatever happens', async () => {
  // The time to wait for a quota is in whole seconds of real time.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const seed of seeds) {
    const dice = new Dice(seed, true)
    const world = new World(dice, ['customers', 'signals'])
    await world.look()
    const { session } = world
    const { scenarios, faults, requests, clock, data } = session
    const readState = async () =>
      [scenarios, faults, requests]
        .map((one): unknown => one.list())
        .concat(clock.now(), await data.changes())
    const happen = async () => {
      while (dice.chance(0.7)) await world.happen(dice)
      if (dice.chance(0.15)) scenarios.add(dice.pick(refusals))
      if (dice.chance(0.2)) clock.tick({ by: 'P1D' })
      if (dice.chance(0.05)) world.forget()
    }
    const asked: (() => Promise<void>)[] = []
    for (let count = 1 + dice.below(4); count > 0; count -= 1) {
      await happen()
      const list = dice.pick([
        '/customers?',
        '/customers?',
        '/customers?segment=SMB&',
        '/signals?',
        '/nowhere?',
      ])
      const paging = dice.chance(0.5) ? 'limit=250' : `limit=${dice.below(9)}&offset=${dice.below(5)}`
      const path = dice.chance(0.1) ? `/customers/${1 + dice.below(14)}` : `${list}${paging}`
      const input = { path: `${home}${path}`, token: world.token }
      const before = await readState()
      const preview = await session.preview(input)
      const shown = readIds(preview.status, preview.body)
      const there = [...(world.states.at(-1)?.customers.keys() ?? [])]
      // A record that is not shown, if there is one, or any.
      const id = there.find((one) => !shown.includes(one)) ?? 1 + dice.below(14)
      const explanation = await session.explain({ ...input, id })
      const title = `seed ${seed}: ${id} in ${path}: ${explanation.summary}`
      expect(await readState(), title).toEqual(before)
      const [requestId, sent] = world.send(path)
      const response = await sent
      const body: unknown = await response.json()
      const { status } = response
      const included = readIds(status, body).includes(id)
      const fault = response.headers.get('sandbox-fault')
      const isRefused = explanation.conditions.some(({ holds }) => holds === false)
      // Nothing but a scenario can hide a customer from the list of all.
      const isHidden =
        isRefused && path.startsWith('/customers?limit') && there.includes(id) && status !== 400
      if (fault === null) {
        expect(preview, title).toMatchObject({ status, body })
        expect(explanation, title).toMatchObject({ status, included })
        expect(isRefused, title).toBe(!included && !explanation.place)
        if (isHidden)
          expect(
            explanation.conditions.map(({ name }) => name),
            title,
          ).toContain('scenario')
      }
      asked.push(async () => {
        const now = await session.explain({ ...input, id })
        const isRebuilt = requestId > world.forgotten
        const { causes = [], ...recorded } = await session.explain({ requestId, id })
        const later = `${title} Later: ${recorded.summary}`
        expect(recorded, later).toMatchObject({ requestId, status, included, now, isRebuilt })
        if (isRebuilt) {
          expect(recorded.total, later).toBe(Object(body).totalCount)
          expect((await session.explain({ requestId })).total, later).toBe(recorded.total)
        } else expect(recorded.summary, later).toContain('can no longer be rebuilt')
        const kinds = causes.map(({ kind }) => kind)
        const acts = new Map(requests.list().map((one) => [one.id, one.scenarios ?? []]))
        if (fault !== null)
          expect(causes, later).toContainEqual(expect.objectContaining({ id: fault, requestId }))
        else if (isHidden) expect(kinds, later).toContain('scenario')
        else if (isRebuilt && acts.get(requestId)?.length === 0) {
          expect(recorded.conditions, later).toEqual(explanation.conditions)
        }
        const isOther = now.included !== included || now.status !== status
        // What scenarios do now, `now` says itself.
        const isPlain = now.conditions.every(({ name }) => name !== 'scenario')
        if (isOther && isPlain) expect(kinds, later).not.toEqual([])
        for (const { kind, id: scenario, requestId: at, text } of causes) {
          expect(recorded.summary, later).toContain(text.slice(1))
          const isTrue = acts.get(at ?? 0)?.some((act) => act.id === scenario && text.includes(act.did))
          expect(isTrue ?? false, later).toBe(kind === 'scenario')
        }
      })
    }
    await happen()
    const before = await readState()
    for (const ask of asked) await ask()
    expect(await readState()).toEqual(before)
    world.close()
  }
})
