import { expect, it, onTestFinished } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { startSandbox } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'
import {
  as,
  control,
  createJsonPost,
  customers,
  expectInvalid,
  expectProblem,
  note,
  openSandbox,
  overHttp,
} from '../support.ts'

type Opened = Awaited<ReturnType<typeof openSandbox>>

interface Call {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends the head of a request, runs `meanwhile`, then sends the body. By default, adds a note to customer 1. */
async function sendInterrupted(
  sandbox: Pick<Opened, 'fetch'>,
  meanwhile: () => unknown,
  { method = 'POST', path = `/v1${customers}/1/notes`, headers = {}, body: content = note }: Call = {},
): Promise<Response> {
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  let isRead: (() => void) | undefined
  const reading = new Promise<void>((resolve) => (isRead = resolve))
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isRead?.()
        await done
        controller.enqueue(bytes)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const sent = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json', ...headers }
  const init = { method, body, headers: sent, duplex: 'half' } as const
  const done = reading.then(meanwhile)
  return sandbox.fetch(new Request(`http://sandbox${path}`, init))
}

it('rejects a note whose customer is deleted while its body arrives', async () => {
  const sandbox = await openSandbox()
  await expectProblem(await sendInterrupted(sandbox, () => sandbox.data.customers.delete(1)), 'not_found')
  const { items } = await sandbox.data.notes.list()
  expect(items.filter(({ customerId }) => customerId === 1)).toEqual([])
})

it('rejects a note whose customer is removed by a reseed while its body arrives', async () => {
  const sandbox = await openSandbox()
  const fixture = { extends: 'empty', customers: [{ id: 7 }] }
  await expectProblem(await sendInterrupted(sandbox, () => sandbox.reseed({ fixture })), 'not_found')
  expect(await sandbox.data.notes.list()).toMatchObject({ totalCount: 0 })
})

it('rejects a note whose category is deactivated while its body arrives', async () => {
  const sandbox = await openSandbox()
  const retire = () => sandbox.data.noteCategories.patch(1, { isActive: false })
  await expectInvalid(await sendInterrupted(sandbox, retire), 'body categoryId')
})

it('rejects a note whose author is deleted while its body arrives', async () => {
  const sandbox = await openSandbox()
  const { id } = await sandbox.data.members.put({ firstName: 'Nia', lastName: 'Grey' })
  const { organizations } = sandbox.credentials
  const author = organizations.flatMap(({ members }) => members).find((member) => member.id === id)
  const headers = { authorization: `Bearer ${author?.token}` }
  const response = await sendInterrupted(sandbox, () => sandbox.data.members.delete(id), { headers })
  await expectProblem(response, 'unauthorized')
})

it('keeps changes to a customer while the body of a note that touches it arrives', async () => {
  const sandbox = await createSandbox({ size: 'small', assumptions: { noteTouches: 'customer' } })
  const response = await sendInterrupted(sandbox, () => sandbox.data.customers.patch(1, { name: 'New' }))
  expect(response.status).toBe(200)
  expect(await sandbox.data.customers.get(1)).toMatchObject({
    name: 'New',
    updatedDate: '2026-01-15T12:00:00.000Z',
  })
})

it.each([
  { method: 'POST', path: `/v1${customers}/1/notes` },
  { method: 'POST', path: '/_sandbox/sessions/mine/v1/organizations/harbor/customers/1/notes' },
  { method: 'PATCH', path: '/_sandbox/data/customers/1', body: { name: 'New' } },
  { method: 'PUT', path: '/_sandbox/clock', body: { now: '2026-02-01T00:00Z' } },
  { method: 'POST', path: '/_sandbox/faults', body: { status: 500 } },
  { method: 'PATCH', path: '/_sandbox/assumptions', body: {} },
])('rejects $method $path for a session that is deleted while the body arrives', async (call) => {
  const sandbox = await openSandbox()
  const session = sandbox.session({ id: 'mine' })
  const headers = { 'sandbox-session': 'mine' }
  const response = await sendInterrupted(sandbox, () => session.close(), { ...call, headers })
  const { detail } = await expectProblem(response, 'not_found')
  expect(detail).toContain('mine')
})

/** Starts a server on a folder. */
async function serveFolder(assumptions = {}) {
  const { sandbox, url, close } = await startSandbox({
    size: 'small',
    port: 0,
    data: temporaryFolder(),
    assumptions,
  })
  onTestFinished(close)
  const mara = as(overHttp(url), 'mara')
  const post = (id: number) => mara.send(`${customers}/${id}/notes`, createJsonPost(note))
  return { sandbox, server: overHttp(url), post }
}

it('leaves no note without its customer if notes and deletions run concurrently', async () => {
  const { sandbox, server, post } = await serveFolder()
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  const answers = ids.flatMap((id) => {
    const notes = () => Array.from({ length: 12 }, () => post(id))
    return [...notes(), control(server, 'DELETE', `/data/customers/${id}`), ...notes()]
  })
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
  expect(Array.from(statuses).every((status) => status === 200 || status === 404)).toBe(true)
  const { items } = await sandbox.data.notes.list()
  expect(items.filter(({ customerId }) => ids.includes(customerId))).toEqual([])
  const { items: left } = await sandbox.data.customers.list({ organizationId: 'harbor' })
  expect(left.map(({ id }) => id)).toEqual([21, 22, 23, 24, 25])
})

it('loses no change to a customer that is touched by notes at the same time', async () => {
  const { sandbox, server, post } = await serveFolder({ noteTouches: 'customer' })
  const ids = Array.from({ length: 25 }, (_, index) => index + 1)
  const answers = ids.flatMap((id) => [
    post(id),
    control(server, 'PATCH', `/data/customers/${id}`, { name: `New ${id}` }),
    post(id),
    control(server, 'PATCH', `/data/customers/${id}`, { city: `City ${id}` }),
    post(id),
  ])
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  const { items } = await sandbox.data.customers.list({ organizationId: 'harbor' })
  expect(items.map(({ name, city }) => ({ name, city }))).toEqual(
    ids.map((id) => ({ name: `New ${id}`, city: `City ${id}` })),
  )
})

it('applies the options of both of two concurrent reseeds', async () => {
  const sandbox = await openSandbox()
  await Promise.all([sandbox.reseed({ seed: 7 }), sandbox.reseed({ size: 3 })])
  expect(sandbox.dataset).toMatchObject({ seed: 7, size: 3 })
})
