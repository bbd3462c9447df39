import { expect, it } from 'vitest'

import { endpoints } from '../../src/service/index.ts'
import { openSandbox, overrides, tokens } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const { rows } = sandbox.dataset
const reads = endpoints.filter(({ method }) => method === 'GET')

/** Reads the ids in a response of any form. */
function readIds(status: number, body: unknown): readonly unknown[] {
  if (status !== 200) return []
  const items = typeof body === 'object' && body !== null && 'items' in body ? body.items : body
  const records: readonly { readonly id: number }[] = JSON.parse(JSON.stringify([items].flat()))
  return records.map(({ id }) => id)
}

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

it('explanations agree with the response in a living tenant whose clock ticks after each request', async () => {
  const session = (await openSandbox({ future: 'living' })).session()
  session.clock.tick({ by: 'P1D' })
  const path = '/organizations/harbor/customers?updatedSince=2026-01-01T00:00Z'
  const headers = { authorization: `Bearer ${tokens.mara}` }
  const totals: unknown[][] = []
  for (let requestId = 1; requestId <= 10; requestId += 1) {
    const { total } = await session.explain({ path, token: tokens.mara })
    const listed: unknown = await (await session.fetch(`/v1${path}`, { headers })).json()
    totals.push([total, Object(listed).totalCount, (await session.explain({ requestId })).total])
  }
  expect(totals).toEqual(totals.map(([, listed]) => [listed, listed, listed]))
})
