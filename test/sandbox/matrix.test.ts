import { expect, it } from 'vitest'

import { assumptionMatrix, type MatrixOptions, type SessionHandle } from '../../src/index.ts'
import { as, home, note, notes, openSandbox } from '../support.ts'

const sandbox = await openSandbox()

/** Reads JSON as most clients do: any status but 200 is an error. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever form an assumption gives it
const read = (session: SessionHandle, path: string): Promise<any> => as(session, 'mara').get(`${home}${path}`)

/** Reads the records of a list in any form. */
async function listed(session: SessionHandle, path: string) {
  const body = await read(session, path)
  return Array.isArray(body) ? body : body.items
}

/** A client that expects the default form of every response. */
async function trusting(session: SessionHandle): Promise<void> {
  const { items } = await read(session, '/briefs')
  expect(items[0].name).toEqual(expect.any(String))
  const [product] = await read(session, '/products')
  expect(product.name).toEqual(expect.any(String))
  const missing = await as(session, 'mara').send(`${home}/customers/9999`)
  expect(await missing.json()).toMatchObject({ code: 'not_found' })
}

/** The same client, but tolerant of lists in either form. */
async function coping(session: SessionHandle): Promise<void> {
  const [brief] = await listed(session, '/briefs')
  expect(brief.name).toEqual(expect.any(String))
  const [product] = await listed(session, '/products')
  expect(product.name).toEqual(expect.any(String))
  const invalid = await as(session, 'mara').send(`${home}/customers?limit=0`)
  expect(invalid.status).toBe(400)
}

/** A client that leaves its session as it was opened. */
async function resetting(session: SessionHandle): Promise<void> {
  await read(session, '/members')
  await session.reset()
}

/** Lists the assumptions that a matrix overrides. Order: as run. */
async function tried(options: MatrixOptions): Promise<string[]> {
  const { runs } = await assumptionMatrix(coping, { sandbox, ...options })
  return [...new Set(runs.map(({ name }) => name))]
}

it('names exactly the assumptions that a client depends on, fewer for a tolerant one', async () => {
  const { dependsOn } = await assumptionMatrix(trusting, { sandbox })
  expect(dependsOn).toEqual(['pages', 'envelopes', 'errorFormat'])
  expect((await assumptionMatrix(coping, { sandbox })).dependsOn).toEqual(['violationStatus'])
})

it('overrides the chosen assumptions, by name, by id, or by both', async () => {
  expect(await tried({ names: ['team', 'pages'] })).toEqual(['pages', 'team'])
  expect(await tried({ only: ['A-12', 'A-05'] })).toEqual(['errorFormat', 'team'])
  expect(await tried({ names: ['team', 'pages'], only: ['A-12', 'A-05'] })).toEqual(['team'])
})

it('starts from known assumptions about the real service', async () => {
  const seen: number[] = []
  const { runs, dependsOn } = await assumptionMatrix(
    async (session) => {
      const answer = await as(session, 'mara').send(`${home}/customers?limit=0`)
      seen.push(answer.status)
      expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
    },
    { sandbox, assumptions: { errorFormat: 'error' }, names: ['errorFormat', 'violationStatus'] },
  )
  expect(dependsOn).toEqual(['errorFormat'])
  expect(runs.filter(({ passed }) => passed).map(({ value }) => value)).toEqual(['error', 400, 422])
  expect(seen).toEqual([400, 400, 400, 422])
})

it('formats the failures as a table with their overrides', async () => {
  const matrix = await assumptionMatrix(coping, { names: ['pages', 'violationStatus'] })
  const [sentence, line, ...more] = String(matrix).split('\n')
  expect(sentence).toBe('The suite fails in 1 of 2 runs.')
  expect(line).toMatch(/^ {2}A-06 {2}Response to .* {2}violationStatus=422 {2}expected 422 to be 400/)
  expect(more).toEqual([])
})

it('rejects a suite that fails before anything is overridden', async () => {
  const broken = new Error('the client is broken')
  const run = assumptionMatrix(() => Promise.reject(broken), { sandbox })
  await expect(run).rejects.toMatchObject({ message: expect.stringContaining(broken.message), cause: broken })
})

it('rejects a suite that sends no request through its session, but not one that resets the session', async () => {
  const idle = assumptionMatrix(() => sandbox.fetch('/v1/members/me'), { sandbox, names: ['pages'] })
  await expect(idle).rejects.toThrow('has sent no request through its session, so no assumption could matter')
  expect((await assumptionMatrix(resetting, { sandbox, names: ['pages'] })).dependsOn).toEqual([])
})

it.each([
  ['{"names":["team"],"only":["A-05"]}', 'names: must have an assumption that `only` does not exclude'],
  ['{"names":[]}', 'names: must have an assumption'],
  ['{"names":["errorFormt"]}', 'errorFormt is not an assumption. Did you mean errorFormat?'],
  ['{"only":["A-99"]}', 'A-99 is not an assumption.'],
  ['{"assumptions":{"pages":"tree"}}', 'must be one of'],
])('rejects %s', async (json, message) => {
  const run = assumptionMatrix(() => undefined, { sandbox, ...JSON.parse(json) })
  await expect(run).rejects.toThrow(message)
})

it('runs each suite in its own session, and closes it', async () => {
  const ids: string[] = []
  const suite = async (session: SessionHandle) => {
    ids.push(session.id)
    await as(session, 'mara').post(notes, note)
    expect(session.requests.list()).toHaveLength(1)
  }
  await assumptionMatrix(suite, { sandbox, names: ['team', 'pages'] })
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) {
    const headers = { 'sandbox-session': id }
    expect((await sandbox.fetch('/v1/members/me', { headers })).status).toBe(404)
  }
})
