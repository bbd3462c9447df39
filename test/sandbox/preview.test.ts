import { expect, it } from 'vitest'

import type { PartialSettings } from '../../src/index.ts'
import { openSandbox, tokens } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const token = tokens.mara
const home = '/organizations/harbor'

const overridden: PartialSettings = {
  errorFormat: 'message',
  violationStatus: 422,
  otherOrganization: 404,
  pages: 'array',
  absentValues: 'null',
  timestamps: 'seconds',
  unknownParameters: 'refused',
}

it.for<[path: string, token?: string]>([
  ['/members/me'],
  [`${home}/customers/1`],
  [`${home}/customers?scope=team&status=active&offset=1&limit=2`],
  [`${home}/customers?limit=250`],
  [`${home}/customers?colour=red&limit=1`],
  [`${home}/signals?status=open`],
  [`${home}/briefs`],
  [`${home}/products`],
  [`${home}/customers?limit=0&memberRoleId=1`],
  [`${home}/customers/987654`],
  [`${home}/customer`],
  [`${home}/customers`, tokens.omar],
  [`${home}/customers`, 'sbx_expired'],
])('agrees with the response: %s', async ([path, given = token]) => {
  for (const assumptions of [{}, overridden]) {
    const session = sandbox.session({ assumptions })
    const shown = await session.preview({ path, token: given })
    const headers = { authorization: `Bearer ${given}` }
    const answer = await session.fetch(`/v1${path}`, { headers })
    expect(shown).toEqual({
      request: `GET /v1${path}`,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.json(),
      warnings: expect.any(Array),
    })
  }
})

it('reports the warnings of the response', async () => {
  const { headers, warnings } = await sandbox.preview({ path: `${home}/customers?scop=mine`, token })
  expect(warnings).toEqual([expect.stringContaining('did you mean scope?')])
  expect(headers['sandbox-warning']).toContain('scope')
  expect((await sandbox.preview({ path: `${home}/customers?scope=mine`, token })).warnings).toEqual([])
})

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

it('sees the changes and the clock of its own session only', async () => {
  const session = sandbox.session()
  await session.data.customers.patch(1, { name: 'Tern & Co' })
  session.clock.set('2024-01-01T00:00:00.000Z')
  const input = { path: `${home}/customers/1`, token }
  expect((await session.preview(input)).body).toMatchObject({ name: 'Tern & Co' })
  expect((await sandbox.preview(input)).body).not.toMatchObject({ name: 'Tern & Co' })
  const since = { path: `${home}/customers?updatedSince=2024-06-01T00:00:00Z`, token }
  expect((await session.preview(since)).body).toMatchObject({ totalCount: 0 })
  expect((await sandbox.preview(since)).body).not.toMatchObject({ totalCount: 0 })
})
