import { expect, test } from 'vitest'

import { assumptionMatrix, type MatrixOptions, type SessionHandle } from '../../src/index.ts'
import { as, openSandbox, posted } from '../support.ts'

const home = '/organizations/harbor'
const sandbox = await openSandbox()

/** Reads JSON as most clients do: whatever is not 200 is an error. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever form an assumption gives it
async function read(session: SessionHandle, path: string): Promise<any> {
  const answer = await as(session, 'mara').send(`${home}${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return JSON.parse(await answer.text())
}

/** The records of a list, whatever form it has. */
async function listed(session: SessionHandle, path: string) {
  const body = await read(session, path)
  return Array.isArray(body) ? body : body.items
}

/** A client that takes every answer for what the sandbox gives by default. */
async function trusting(session: SessionHandle): Promise<void> {
  const { items } = await read(session, '/briefs')
  expect(items[0].name).toEqual(expect.any(String))
  const [product] = await read(session, '/products')
  expect(product.name).toEqual(expect.any(String))
  const missing = await as(session, 'mara').send(`${home}/customers/9999`)
  expect(await missing.json()).toMatchObject({ code: 'not_found' })
}

/** The same, written so that it copes with lists in either form, and with briefs under either name. */
async function coping(session: SessionHandle): Promise<void> {
  const [brief] = await listed(session, '/briefs')
  expect(brief.name ?? brief.title).toEqual(expect.any(String))
  const [product] = await listed(session, '/products')
  expect(product.name).toEqual(expect.any(String))
  const missing = await as(session, 'mara').send(`${home}/customers/9999`)
  expect(missing.status).toBe(404)
}

/** The assumptions that a matrix tries. Order: as tried. */
async function tried(options: MatrixOptions): Promise<string[]> {
  const { runs } = await assumptionMatrix(coping, { sandbox, ...options })
  return [...new Set(runs.map(({ name }) => name))]
}

test('names exactly the assumptions on which a client depends', async () => {
  const { dependsOn } = await assumptionMatrix(trusting, { sandbox })
  expect(dependsOn).toEqual(['pages', 'envelopes', 'errorFormat', 'briefName', 'productName'])
})

test('names fewer of them for a client that copes with other answers', async () => {
  const { dependsOn } = await assumptionMatrix(coping, { sandbox })
  expect(dependsOn).toEqual(['productName'])
})

test('says of every value of every assumption whether the client passed, or what it threw', async () => {
  const { runs } = await assumptionMatrix(trusting, { sandbox, names: ['pages', 'order'] })
  expect(runs.map(({ name, value, passed }) => [name, value, passed])).toEqual([
    ['pages', 'envelope', true],
    ['pages', 'array', false],
    ['order', 'id', true],
    ['order', 'newest', true],
  ])
  expect(runs[0]).toMatchObject({ id: 'A-01', meaning: '{ items, totalCount }', error: undefined })
  expect(runs[1]?.error).toBeInstanceOf(TypeError)
})

test('tries what is asked for, by name, by id, or by both', async () => {
  expect(await tried({ names: ['order', 'pages'] })).toEqual(['pages', 'order'])
  expect(await tried({ only: ['A-03', 'A-05'] })).toEqual(['order', 'errorFormat'])
  expect(await tried({ names: ['order', 'pages'], only: ['A-03', 'A-05'] })).toEqual(['order'])
})

test('starts from what is known of the real service', async () => {
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

test('gives every run a session of its own, which ends with it', async () => {
  const ids: string[] = []
  await assumptionMatrix(
    async (session) => {
      ids.push(session.id)
      await as(session, 'mara').send(
        `${home}/customers/1/notes`,
        posted({ categoryId: 1, content: 'Called' }),
      )
      expect(session.requests.list()).toHaveLength(1)
    },
    { sandbox, names: ['order', 'pages'] },
  )
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) {
    const headers = { 'sandbox-session': id }
    expect((await sandbox.fetch(new Request('http://sandbox/v1/members/me', { headers }))).status).toBe(404)
  }
})

test('reads as a table of what failed, with what decides it so', async () => {
  const matrix = await assumptionMatrix(coping, { names: ['pages', 'productName'] })
  const [sentence, line, ...more] = String(matrix).split('\n')
  expect(sentence).toBe('The suite fails in 1 of 4 runs.')
  expect(line).toMatch(/^ {2}A-25 {2}Product {2}productName=title {2}expected undefined/)
  expect(more).toEqual([])
})

test('refuses a suite that fails before anything is decided otherwise', async () => {
  const broken = new Error('the client is broken')
  const run = assumptionMatrix(
    () => {
      throw broken
    },
    { sandbox },
  )
  await expect(run).rejects.toMatchObject({ message: expect.stringContaining(broken.message), cause: broken })
})

test('refuses assumptions that cannot be set', async () => {
  const run = assumptionMatrix(coping, { sandbox, assumptions: { pages: 'tree' as 'array' } })
  await expect(run).rejects.toMatchObject({ code: 'invalid_request' })
})

test.each([
  ['{"names":["errorFormt"]}', 'errorFormt is not an assumption. Did you mean errorFormat?'],
  ['{"only":["A-99"]}', 'A-99 is not an assumption.'],
])('refuses %s, which would run nothing', async (json, message) => {
  const run = assumptionMatrix(() => undefined, { sandbox, ...JSON.parse(json) })
  await expect(run).rejects.toThrow(message)
})
