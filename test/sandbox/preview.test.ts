import { expect, it } from 'vitest'

import { home, openSandbox, tokens } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'edge-cases' })
const token = tokens.mara

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
