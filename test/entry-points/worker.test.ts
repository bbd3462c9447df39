import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { expect, it } from 'vitest'

import type { StateDocument } from '../../src/index.ts'
import { temporaryFolder } from '../folders.ts'
import { importPacked } from '../packed.ts'
import { as, crawl, customers, note, notes } from '../support.ts'
import { asked, everything } from './embedding-requests.ts'
import { bundle, type Miniflare, run, toModules } from './worker-support.ts'

const ADMIN = 'correct horse'

/** The worker of the example, with options that each test chooses. */
const script = bundle(`
  import { createWorker, SandboxSession } from 'workspace-sandbox/worker'
  export { SandboxSession }
  export default createWorker(OPTIONS_OF_THE_TEST)`)

interface Deployment {
  readonly options?: object
  /** The folder that keeps the objects. */
  readonly persist?: string
  /** Runs the objects in another isolate than the worker that routes to them. */
  readonly isApart?: boolean
}

/** Runs the worker, and returns functions that call its service and its control plane. */
async function deploy({ options = {}, persist, isApart = false }: Deployment = {}) {
  const values = JSON.stringify({ size: 3, adminToken: ADMIN, ...options })
  const worker = {
    modules: toModules((await script).replace('OPTIONS_OF_THE_TEST', () => values)),
    compatibilityDate: '2026-01-01',
  }
  const objects = { className: 'SandboxSession', useSQLite: true }
  const runner = run({
    workers: isApart
      ? [
          { ...worker, name: 'front', durableObjects: { SESSIONS: { ...objects, scriptName: 'objects' } } },
          { ...worker, name: 'objects', durableObjects: { SESSIONS: objects } },
        ]
      : [{ ...worker, durableObjects: { SESSIONS: objects } }],
    ...(persist !== undefined && { durableObjectsPersist: persist }),
  })
  return { runner, ...createCalls(runner) }
}

function createCalls(runner: Miniflare) {
  const fetch = async (request: Request): Promise<Response> => {
    const { method, headers } = request
    const body = request.body && (await request.text())
    return runner.dispatchFetch(request.url, { method, headers: Object.fromEntries(headers), body })
  }
  /** Calls the control plane with the admin token; `session` is the id of a session. */
  const control = async (line: string, body?: unknown, session?: string) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = {
      authorization: `Bearer ${ADMIN}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'sandbox-session': session }),
    }
    const content = body === undefined ? null : JSON.stringify(body)
    const response = await fetch(
      new Request(`http://sandbox.example/_sandbox${path}`, { method, headers, body: content }),
    )
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  /** Calls the service as Mara, in a session or in the default one. */
  const service = (id?: string) => as({ fetch: (request) => fetch(inSession(request, id)) }, 'mara')
  return { fetch, control, service }
}

/** Moves a request to the base URL of a session. */
const inSession = (request: Request, id: string | undefined): Request =>
  id === undefined ? request : new Request(request.url.replace('/v1', `/_sandbox/sessions/${id}/v1`), request)

// The package contains the dataset of the default seed, which another test compares, and generates that of others.
it('answers all operations with the bytes that Node answers', async () => {
  const seed = 2026
  const { fetch } = await deploy({ options: { seed } })
  const { createSandbox } = await importPacked('workspace-sandbox')
  const here = await createSandbox({ size: 3, seed })
  expect(await everything(asked, 'http://sandbox/v1', fetch)).toEqual(
    await everything(asked, 'http://sandbox/v1', here.fetch),
  )
  const visits = await crawl(as(here, 'mara'))
  // The requests above create notes, with the one operation that writes.
  expect(new Set(visits.map(({ operationId }) => operationId)).size).toBe(21)
  expect(await crawl(as({ fetch }, 'mara'))).toEqual(visits)
})

it('isolates sessions that are used at once', async () => {
  const { control, service } = await deploy({ isApart: true })
  const ids = Array.from({ length: 4 }, (_, index) => `run-${index}`)
  await Promise.all(
    ids.map(async (id, index) => {
      expect((await control(`PUT /sessions/${id}`, {})).status).toBe(201)
      await control('POST /faults', { operationId: 'getCurrentMember', status: 500 + index }, id)
      await service(id).post(notes, { ...note, content: id })
    }),
  )
  const found = await Promise.all(
    ids.map(async (id) => {
      const { items } = await service(id).get<{ items: { content: string }[] }>(notes)
      return [items.at(-1)?.content, (await service(id).send('/members/me')).status]
    }),
  )
  expect(found).toEqual(ids.map((id, index) => [id, 500 + index]))
  expect((await service().send('/members/me')).status).toBe(200)
  const { body } = await control('GET /sessions')
  expect(body.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
})

it('keeps notes, clock, faults and assumptions of sessions, also more than fits into one value, and the dataset of a reseed when workerd restarts', async () => {
  const persist = temporaryFolder()
  const first = await deploy({ persist })
  await first.control('PUT /sessions/kept', { name: 'Kept', assumptions: { violationStatus: 422 } })
  const created = await first.service('kept').post(notes, note)
  await first.control('POST /clock/advance', { by: 'P30D' }, 'kept')
  await first.control('POST /faults', { operationId: 'listMembers', sequence: [500, 502] }, 'kept')
  expect((await first.service('kept').send('/organizations/harbor/members')).status).toBe(500)
  await first.service().post(notes, note)
  const large = { operationId: 'listMembers', status: 503, body: { text: 'é'.repeat(450_000) } }
  await first.control('PUT /sessions/large', { faults: [large, large, large] })
  await first.control('PUT /sessions/dropped', {})
  await first.service('dropped').post(notes, note)
  await first.control('DELETE /sessions/dropped')
  const before = await Promise.all([
    first.control('GET /state', undefined, 'kept'),
    first.control('GET /state'),
  ])
  await first.runner.dispose()

  // The options are those of a new sandbox.
  const { control, runner, service } = await deploy({ persist, options: { seed: 9 } })
  expect([await control('GET /state', undefined, 'kept'), await control('GET /state')]).toEqual(before)
  const kept = (await control('GET /sessions')).body.items.map(({ id }: { id: string }) => id)
  expect(kept.toSorted()).toEqual(['kept', 'large'])
  const { body } = await control('GET /faults', undefined, 'large')
  expect(body.items).toMatchObject([{ body: large.body }, { body: large.body }, { body: large.body }])
  expect((await control('GET /sessions/kept')).body).toMatchObject({
    name: 'Kept',
    now: '2026-02-14T12:00:00.000Z',
  })
  expect((await service('kept').get<{ items: unknown[] }>(notes)).items).toContainEqual(created)
  expect((await service('kept').send('/organizations/harbor/members')).status).toBe(502)
  expect((await service('kept').send('/organizations/harbor/customers?limit=0')).status).toBe(422)
  expect((await control('PUT /sessions/kept', { name: 'Other' })).status).toBe(409)
  await control('POST /reset', undefined, 'kept')
  expect((await service('kept').send('/organizations/harbor/customers?limit=0')).status).toBe(422)

  expect((await control('POST /reseed', { seed: 7 })).status).toBe(200)
  await service().post(notes, note)
  await runner.dispose()
  const third = await deploy({ persist, options: { seed: 9 } })
  expect((await third.control('GET /health')).body).toMatchObject({ seed: 7, size: 3 })
  const { items } = await third.service().get<{ items: object[] }>(notes)
  expect(items).toContainEqual(expect.objectContaining({ content: note.content }))
  expect((await third.control('GET /sessions/kept')).status).toBe(404)
})

it('drops a session that is idle for longer than sessionTtl, and whoever deletes one', async () => {
  const { control, service } = await deploy({ options: { sessionTtl: 0.05 } })
  await control('PUT /sessions/idle', {})
  expect((await service('idle').send('/members/me')).status).toBe(200)
  await expect.poll(async () => (await control('GET /sessions')).body).toEqual({ items: [], totalCount: 0 })
  expect((await control('GET /sessions/idle')).status).toBe(404)
  await control('PUT /sessions/done', {})
  expect((await control('DELETE /sessions/done')).status).toBe(204)
  expect((await control('DELETE /sessions/done')).status).toBe(404)
})

const health = '/_sandbox/health'

it('opens the control plane to this machine only, if there is no admin token', async () => {
  const { fetch } = await deploy({ options: { adminToken: undefined } })
  const refused = await fetch(new Request(`http://sandbox.example${health}`))
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('Set the secret WORKSPACE_SANDBOX_ADMIN_TOKEN')
  expect((await fetch(new Request(`http://localhost${health}`))).status).toBe(200)
})

it('restores a state of Node to the same bytes, and gives one that Node restores', async () => {
  const { createSandbox } = await importPacked('workspace-sandbox')
  const [here, back] = await Promise.all([createSandbox({ size: 3 }), createSandbox({ size: 3 })])
  const { control, service } = await deploy()
  await as(here, 'mara').post(notes, note)
  await here.data.customers.patch(2, { city: 'Bath' })
  here.clock.advance('P2D')
  expect((await control('PUT /state', await here.saveState())).status).toBe(200)
  // Another test compares the bytes of all operations.
  for (const path of [notes, customers]) {
    expect(await service().get(path)).toEqual(await as(here, 'mara').get(path))
  }
  await service().post(notes, note)
  const saved: StateDocument = (await control('GET /state')).body
  await back.restoreState(saved)
  expect(await back.saveState()).toEqual(saved)
})

/** The part of the example's configuration that the test follows. */
interface WranglerConfig {
  readonly main: string
  readonly compatibility_date: string
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[]
  }
  readonly migrations: readonly { readonly new_sqlite_classes: readonly string[] }[]
  readonly assets: { readonly binding: string }
}

it('runs the example as it stands, with the console and the documentation, for holders of the admin token', async () => {
  const example = resolve('examples/cloudflare')
  const config: WranglerConfig = JSON.parse(
    readFileSync(`${example}/wrangler.jsonc`, 'utf8').replaceAll(/^ *\/\/.*$|,(?=\s*[}\]])/gm, ''),
  )
  const [binding] = config.durable_objects.bindings
  expect(config.migrations[0]?.new_sqlite_classes).toEqual([binding?.class_name])
  const runner = run({
    modules: toModules(await bundle(readFileSync(`${example}/${config.main}`, 'utf8'))),
    compatibilityDate: config.compatibility_date,
    durableObjects: { [binding?.name ?? '']: { className: binding?.class_name, useSQLite: true } },
    bindings: { WORKSPACE_SANDBOX_ADMIN_TOKEN: ADMIN },
    serviceBindings: {
      [config.assets.binding]: ({ url }: Request) =>
        new Response(readFileSync(resolve(`dist${new URL(url).pathname}`))),
    },
  })
  const { control, fetch, service } = createCalls(runner)
  expect((await control('GET /health')).body).toMatchObject({ status: 'ok', size: 300 })
  for (const wrong of [{}, { authorization: 'Bearer wrong' }]) {
    const refused = await fetch(new Request(`http://sandbox.example${health}`, { headers: wrong }))
    expect(refused.status).toBe(401)
  }
  expect(await service().get('/members/me')).toMatchObject({ firstName: 'Mara' })
  for (const path of ['/_sandbox', '/_sandbox/docs/']) {
    const page = await fetch(new Request(`http://sandbox.example${path}`))
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('<script type="module"')
  }
})
