import { expect, it, onTestFinished, vi } from 'vitest'

import type { ScenarioInput } from '../../src/index.ts'
import { endpoints } from '../../src/service/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { Dice } from '../reliability/referee/tables.ts'
import { World } from '../reliability/referee/world.ts'
import { as, expectSame, home, openSandbox, overrides, type Page, tokens } from '../support.ts'

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

const wrong = [
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
    for (const path of wrong) yield { path: `/organizations/harbor/${path}`, token, id: 1 }
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

it('explanations agree with the response in a living tenant whose clock ticks after each request', async () => {
  const session = (await openSandbox({ future: 'living' })).session()
  session.clock.tick({ by: 'P1D' })
  const path = '/organizations/harbor/customers?updatedSince=2026-01-01T00:00Z'
  const totals: unknown[][] = []
  for (let requestId = 1; requestId <= 10; requestId += 1) {
    const { total } = await session.explain({ path, token: tokens.mara })
    const { totalCount } = await as(session, 'mara').get<Page<unknown>>(path)
    totals.push([total, totalCount, (await session.explain({ requestId })).total])
  }
  expect(totals).toEqual(totals.map(([, listed]) => [listed, listed, listed]))
})

/** From 40 on, so that the first 20 reach every assertion below. */
const seeds = Array.from({ length: chooseAmount(20, 400) }, (_, at) => at + 40)

const changed = 'customers?updatedSince=2026-01-01T00:00Z&'

/** Scenarios that refuse, hide or miscount what the service has, besides those of every world. */
const disguises: readonly [ScenarioInput, ...ScenarioInput[]] = [
  { name: 'scope-narrowed', after: 0, scope: 'mine' },
  { name: 'token-revoked', after: 0 },
  { name: 'daily-quota', requests: 1 },
  { name: 'wrong-total' },
]

it('does not say that a record which a scenario hid is in the response', async () => {
  const session = sandbox.session()
  session.scenarios.add({ name: 'scope-narrowed', scope: 'mine', after: 0 })
  const { items } = await as(session, 'mara').get<Page<{ id: number }>>(`${home}/customers?limit=250`)
  const id = rows.customers.find((one) => !items.some((shown) => shown.id === one.id))?.id
  const { included, summary } = await session.explain({ requestId: 1, id })
  expect([included, summary]).toEqual([false, expect.not.stringContaining(' is in the response')])
})

/** Expects that random requests in a random world are explained before they are sent, and later, as they are answered. */
async function expectAgreement(seed: number): Promise<void> {
  const dice = new Dice(seed, true)
  const world = new World(dice, ['customers', 'signals'])
  await world.look()
  const { session } = world
  const { scenarios, faults, requests, clock, data } = session
  const readState = async () => {
    const lists = [scenarios, faults, requests].map((one): unknown => one.list())
    return [...lists, clock.now(), await data.changes()]
  }
  const happen = async () => {
    while (dice.chance(0.7)) await world.happen(dice)
    if (dice.chance(0.2)) scenarios.add(dice.pick(disguises))
    if (dice.chance(0.2)) clock.tick({ by: 'P9D' })
    if (dice.chance(0.05)) world.forget()
  }
  const asked: (() => Promise<void>)[] = []
  for (let count = 1 + dice.below(4); count > 0; count -= 1) {
    await happen()
    const list = dice.pick([
      'customers?',
      'customers?',
      'customers?segment=SMB&',
      changed,
      'signals?',
      'nowhere?',
    ])
    const paging = dice.chance(0.5) ? 'limit=250' : `limit=${dice.below(9)}&offset=${dice.below(5)}`
    const path = dice.chance(0.1) ? `/customers/${1 + dice.below(14)}` : `/${list}${paging}`
    const input = { path: `${home}${path}`, token: world.token }
    const before = await readState()
    const preview = await session.preview(input)
    const shown = readIds(preview.status, preview.body)
    await world.look()
    const there = [...(world.states.at(-1)?.customers.keys() ?? [])]
    // A record that is not shown, if there is one, or any.
    const id = there.find((one) => !shown.includes(one)) ?? 1 + dice.below(14)
    const explanation = await session.explain({ ...input, id })
    const title = `seed ${seed}: ${id} in ${path}: ${explanation.summary}`
    expectSame(title, await readState(), before)
    const at = clock.now()
    const [requestId, sent] = world.send(path)
    const response = await sent
    const body: unknown = await response.json()
    const { status } = response
    const included = readIds(status, body).includes(id)
    const fault = response.headers.get('sandbox-fault')
    const isFault = fault?.startsWith('fault-') === true
    const failed = explanation.conditions.filter(({ holds }) => holds === false).map(({ name }) => name)
    // Nothing but a scenario can hide a customer from the list of all.
    const isOfAll = path.startsWith('/customers?limit') && there.includes(id)
    const isHidden = isOfAll && failed.length > 0 && status !== 400
    if (!isFault) {
      expectSame(title, [preview.status, preview.body], [status, body])
      expectSame(title, [explanation.status, explanation.included], [status, included])
      expectSame(title, failed.length > 0, !included && !explanation.place)
      if (isHidden) expectSame(title, explanation.summary.includes('scenario-'), true)
      if (status === 401 || status === 429) expectSame(title, failed, ['scenario'])
    }
    asked.push(async () => {
      const now = await session.explain({ ...input, id })
      const isRebuilt = requestId > world.forgotten
      const { causes = [], ...recorded } = await session.explain({ requestId, id })
      const later = `${title} Later: ${recorded.summary}`
      expectSame(later, recorded, expect.objectContaining({ requestId, status, included, now, isRebuilt }))
      const whole = await session.explain({ requestId })
      const total: unknown = isRebuilt ? Object(body).totalCount : undefined
      expectSame(later, [recorded.total, whole.total], [total, total])
      expectSame(later, recorded.summary.includes('can no longer be rebuilt'), !isRebuilt)
      const kinds = causes.map(({ kind }) => kind)
      const ids = causes.filter((cause) => cause.requestId === requestId).map((cause) => cause.id)
      const acts = new Map(requests.list().map((one) => [one.id, one.scenarios ?? []]))
      if (isFault) expectSame(later, ids.at(-1), fault)
      else if (isHidden) expectSame(later, kinds.includes('scenario'), true)
      const isOther = now.included !== included || now.status !== status
      if (isRebuilt && !isFault && acts.get(requestId)?.length === 0) {
        expectSame(later, [recorded.conditions, total], [explanation.conditions, explanation.total])
        expectSame(later, kinds.includes('time') || !isOther, clock.now() !== at || !isOther)
      }
      // The explanation of now says itself what scenarios do.
      const isPlain = now.conditions.every(({ name }) => name !== 'scenario')
      if (isOther && isPlain) expectSame(later, kinds.length > 0, true)
      for (const { kind, id: scenario, requestId: request = 0, text } of causes) {
        expectSame(later, recorded.summary.includes(text.slice(1)), true)
        const isTrue =
          acts.get(request)?.some((act) => act.id === scenario && text.includes(act.did)) === true
        expectSame(later, isTrue, kind === 'scenario')
      }
    })
  }
  await happen()
  const before = await readState()
  for (const ask of asked) await ask()
  expectSame(`seed ${seed}`, await readState(), before)
  world.close()
}

it(
  'a request is previewed and explained, before and later, as it is answered, whatever happens',
  async () => {
    // The time to wait for a quota is in whole seconds of real time.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const seed of seeds) await expectAgreement(seed)
  },
  chooseAmount(120_000, 1_800_000),
)
