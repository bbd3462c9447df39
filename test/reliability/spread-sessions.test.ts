import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { serve } from '../entry-points/command.ts'
import { notes, type Opened } from '../sandbox/control-support.ts'
import type { Page, Problem } from '../support.ts'

/** Chooses a process for a session by rendezvous hashing: without one process, the sessions of the others stay. */
function choose(id: string, count: number): number {
  const weights = Array.from({ length: count }, (_, at) => hash(`${id}/${at}`))
  return weights.indexOf(Math.max(...weights))
}

/** FNV-1a, with a last mix, since ids differ in their last digits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}

/** Finds the session that a request names: by its path, else by the header. */
const sessionOf = ({ url = '', headers }: IncomingMessage): string =>
  /^\/_sandbox\/sessions\/([^/?]+)/.exec(url)?.[1] ?? String(headers['sandbox-session'] ?? '')

const service = (id: string): string => `/_sandbox/sessions/${id}/v1${notes}`

const start = () => serve(['--memory'])

/** Starts a proxy that sends each session to one process. */
async function startProxy(targets: readonly { url: string }[]): Promise<string> {
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const id = sessionOf(incoming)
    const { url } = targets[choose(id, targets.length)] ?? { url: '' }
    const { method, headers } = incoming
    const call = request(`${url}${incoming.url}`, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    call.on('error', () => {
      outgoing.writeHead(502, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ detail: `The process of session ${id} does not respond.` }))
    })
    incoming.pipe(call)
  }
  // Longer than the test, because clients do not send a POST again if an idle connection closes under it.
  const server = createServer({ keepAliveTimeout: 120_000 }, forward).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('spreads 300 sessions over three processes, and loses only those of a process that is killed', async () => {
  const servers = await Promise.all([start(), start(), start()])
  const targets = servers.map(({ url }) => ({ url }))
  const proxy = await startProxy(targets)
  const call = async (method: string, path: string, body?: unknown, session?: string) => {
    const headers = {
      authorization: 'Bearer sbx_harbor_1',
      'content-type': 'application/json',
      ...(session !== undefined && { 'sandbox-session': session }),
    }
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${proxy}${path}`, { method, headers, ...init })
    const text = await response.text()
    return { status: response.status, text }
  }
  const ids = Array.from({ length: 300 }, (_, at) => `job-${at}`)
  const opened = await Promise.all(ids.map((id) => call('PUT', `/_sandbox/sessions/${id}`)))
  expect(opened.map(({ status }) => status)).toEqual(ids.map(() => 201))
  const [first] = opened.map(({ text }): Opened => JSON.parse(text))
  expect(first?.baseUrl).toBe(`${proxy}/_sandbox/sessions/job-0/v1`)
  await Promise.all(ids.map((id) => call('POST', service(id), { categoryId: 1, content: `mark of ${id}.` })))
  // By the header as well as by the path.
  await Promise.all(
    ids.map((id) => call('PUT', '/_sandbox/data/customers/2', { name: `mark of ${id}.` }, id)),
  )

  const findMarks = async (id: string) => {
    const { text } = await call('GET', `${service(id)}?limit=250`)
    const { items }: Page<{ readonly content: string }> = JSON.parse(text)
    const { text: customer } = await call('GET', '/v1/organizations/harbor/customers/2', undefined, id)
    const { name }: { readonly name: string } = JSON.parse(customer)
    return [...items.map(({ content }) => content).filter((content) => content.startsWith('mark of')), name]
  }
  const marks = await Promise.all(ids.map(findMarks))
  expect(marks).toEqual(ids.map((id) => [`mark of ${id}.`, `mark of ${id}.`]))
  const groups = [0, 1, 2].map((at) => ids.filter((id) => choose(id, 3) === at))
  for (const group of groups) expect(group.length).toBeGreaterThan(60)

  const [lost = []] = groups
  const kept = ids.filter((id) => !lost.includes(id))
  const [{ child }] = servers
  child.kill('SIGKILL')
  await once(child, 'exit')
  const gone = await Promise.all(lost.map((id) => call('GET', service(id))))
  expect(gone).toEqual(
    lost.map((id) => ({
      status: 502,
      text: JSON.stringify({ detail: `The process of session ${id} does not respond.` }),
    })),
  )
  expect(await Promise.all(kept.map(findMarks))).toEqual(
    kept.map((id) => [`mark of ${id}.`, `mark of ${id}.`]),
  )

  const { url } = await start()
  const [target] = targets
  if (target) target.url = url
  for (const id of lost.slice(0, 3)) {
    const { status, text } = await call('GET', service(id))
    const problem: Problem = JSON.parse(text)
    expect(status).toBe(404)
    expect(problem.detail).toMatch(new RegExp(`^There is no session ${id}\\.`))
    expect((await call('PUT', `/_sandbox/sessions/${id}`)).status).toBe(201)
    expect(await findMarks(id)).not.toContain(`mark of ${id}.`)
  }
})
