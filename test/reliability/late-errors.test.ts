import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { SandboxError } from '../../src/index.ts'
import { type OpenSandbox, openSandbox as open } from '../../src/sandbox/sandbox.ts'
import { createHttpServer } from '../../src/server/http-server.ts'
import { listen } from '../../src/server/listen.ts'
import { createMemoryStorage } from '../../src/store/storage.ts'

const customers = '/v1/organizations/harbor/customers'

/** Serves a sandbox whose disk can be made full. */
async function serveOnDisk() {
  const disk = { isFull: false }
  const storage = createMemoryStorage()
  const full = new SandboxError('storage_full', 'Cannot write changes.log: the disk is full.')
  const sandbox = await open(
    { size: 3 },
    {
      storage: { ...storage, append: (write) => (disk.isFull ? refuse(write, full) : storage.append(write)) },
    },
  )
  const http = createHttpServer(sandbox.handle, { ownsProcess: false })
  const { port } = await listen(http.server, '127.0.0.1', 0)
  onTestFinished(() => http.close())
  return { sandbox, disk, port }
}

/** Fails as a disk does: after the write has decided what to store. */
async function refuse(write: Parameters<ReturnType<typeof createMemoryStorage>['append']>[0], error: Error) {
  if ('decide' in write) write.decide()
  throw error
}

/** Sends requests one after the other over one connection, and reads their responses by their lengths. */
async function exchange(port: number, requests: readonly string[], meanwhile: () => unknown) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = Buffer.alloc(0)
  const responses: { readonly status: number; readonly body: string }[] = []
  const isComplete = (): boolean => {
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return false
    const head = received.toString('latin1', 0, end)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
    if (!(received.length >= end + 4 + length)) return false
    const body = received.toString('utf8', end + 4, end + 4 + length)
    responses.push({ status: Number(head.slice(9, 12)), body })
    received = received.subarray(end + 4 + length)
    return true
  }
  for (const [index, request] of requests.entries()) {
    socket.write(request)
    if (index === 0) await meanwhile()
    while (!isComplete()) received = Buffer.concat([received, ...(await once(socket, 'data'))])
  }
  expect(received.toString()).toBe('')
  return responses
}

const head = 'host: 127.0.0.1\r\nauthorization: Bearer sbx_harbor_1\r\n'
const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${head}\r\n`
const note = JSON.stringify({ categoryId: 1, content: 'Called them.' })
const post = `POST ${customers}/1/notes HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${note.length}\r\n\r\n${note}`

type Served = Awaited<ReturnType<typeof serveOnDisk>>

/** What fails after the service has answered: how it is arranged, the request, and the status. */
const failures: readonly [
  name: string,
  arrange: (served: Served) => unknown,
  request: string,
  status: number,
  meanwhile?: (sandbox: OpenSandbox) => Promise<unknown>,
][] = [
  [
    'a scenario whose change does not fit on the disk',
    ({ sandbox, disk }) => {
      sandbox.scenarios.add({ name: 'deleted' })
      disk.isFull = true
    },
    get(customers),
    507,
  ],
  [
    'a scenario before the answer whose change does not fit',
    ({ sandbox, disk }) => {
      sandbox.scenarios.add({ name: 'bulk-update-ties', count: 2 })
      disk.isFull = true
    },
    get(customers),
    507,
  ],
  [
    'a tick that cannot be stored',
    ({ sandbox, disk }) => {
      sandbox.clock.tick({ by: 'PT1M' })
      disk.isFull = true
    },
    get(customers),
    200,
  ],
  [
    'a tick at the end of time',
    ({ sandbox }) => {
      sandbox.clock.set('9999-12-31T23:59:00Z')
      sandbox.clock.tick({ by: 'P1D' })
    },
    get(customers),
    200,
  ],
  [
    'a record of the response that a scenario rewrites',
    ({ sandbox }) => sandbox.scenarios.add({ name: 'extra-field', value: 'ä'.repeat(90) }),
    get(customers),
    200,
  ],
  [
    'a fault that replaces the response to a stored note',
    ({ sandbox }) => sandbox.faults.add({ operationId: 'createCustomerNote', status: 503, stored: true }),
    post,
    503,
  ],
  [
    'a gate behind a stored note that is reset while the request waits',
    ({ sandbox }) => sandbox.faults.add({ operationId: 'createCustomerNote', gate: true, stored: true }),
    post,
    503,
    async (sandbox) => {
      await sandbox.gates.next()
      await sandbox.reset()
    },
  ],
]

it.each(failures)(
  'sends a response of the right length after %s',
  async (_, arrange, request, status, meanwhile = async () => undefined) => {
    const served = await serveOnDisk()
    await arrange(served)
    const [first, second] = await exchange(served.port, [request, get('/v1/members/me')], () =>
      meanwhile(served.sandbox),
    )
    expect(first).toMatchObject({ status, body: expect.stringMatching(/^\{.*\}$/s) })
    expect(second?.status).toBe(200)
  },
)

it('answers a held request whose session is deleted', async () => {
  const { sandbox, port } = await serveOnDisk()
  const session = sandbox.session({ id: 'gone' })
  session.faults.add({ gate: true, stored: true })
  const named = post.replace(customers, `/_sandbox/sessions/gone${customers}`)
  const [first] = await exchange(port, [named], async () => {
    await session.gates.next()
    session.close()
  })
  expect(first?.status).toBe(404)
})
