import { type Agent, type IncomingHttpHeaders, request as requestOf } from 'node:http'

import { expect, onTestFinished } from 'vitest'

import { createClient } from '../../src/client.ts'
import { problems } from '../../src/core/errors.ts'
import type { ProblemCode, Sandbox } from '../../src/index.ts'
import { type RunningSandbox, startSandbox, type StartOptions } from '../../src/node.ts'
import { openRemoteSession } from '../../src/sandbox/remote/session.ts'
import { openSandbox, type SandboxDependencies } from '../../src/sandbox/sandbox.ts'
import { as, control, type Problem, readControl, words } from '../support.ts'

/** A response as it was received. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request that browsers do not let a page send. */
export interface Raw {
  readonly method?: string
  /** Default for `host`: the server's own; null omits a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string
}

/** Sends a request exactly as given. */
export type Ask = (path: string, raw?: Raw) => Promise<Answer>

/** Creates a function that sends requests to a server. */
export function asker(url: string, agent?: Agent): Ask {
  const { hostname, port } = new URL(url)
  return (path, { method = 'GET', headers = {}, body } = {}) => {
    const sent = Object.entries({ host: `${hostname}:${port}`, ...headers })
    const given = Object.fromEntries(sent.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
    const options = { hostname, port, path, method, headers: given, setHost: false, agent }
    return new Promise((resolve, reject) => {
      const call = requestOf(options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, headers: answered, body: Buffer.concat(parts).toString() })
        })
      })
      call.on('error', reject)
      call.end(body)
    })
  }
}

/** Creates the preflight of a call. */
export const preflight = (origin: string, method = 'PUT'): Raw => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': method },
})

/** A server on a free port that ends with the test. */
export interface Served extends RunningSandbox {
  readonly port: string
  readonly ask: Ask
}

/** Starts a server, by default with the smallest dataset. */
export async function serve(options: StartOptions = {}): Promise<Served> {
  const running = await startSandbox({ size: 3, port: 0, ...options })
  onTestFinished(() => running.close())
  return { ...running, port: new URL(running.url).port, ask: asker(running.url) }
}

/** Expects a problem response. */
export function expectRefusal({ status, headers, body }: Answer, code: ProblemCode): Problem {
  expect(status, `answered ${body}`).toBe(problems[code].status)
  expect(headers['content-type']).toBe('application/problem+json')
  const problem: Problem = JSON.parse(body)
  expect(problem.code).toBe(code)
  return problem
}

/** One customer with one note, whose id is 5. */
export const fixture = { extends: 'empty', customers: [{ id: 1 }], notes: [{ id: 5, customerId: 1 }] }

/** A session as the control plane shows it. */
export interface Opened {
  readonly id: string
  readonly name?: string
  readonly baseUrl: string
  readonly now: string
}

/** Opens a sandbox with one customer and one note. */
export async function open(dependencies: SandboxDependencies = {}) {
  const sandbox = await openSandbox({ size: 3, fixture }, dependencies)
  const send = (method: string, path: string, body?: unknown, session?: string) =>
    control(sandbox, method, path, body, session)
  const json = <T>(method: string, path: string, body?: unknown, session?: string) =>
    readControl<T>(sandbox, method, path, body, session)
  const opened = (input?: object) => json<Opened>('POST', '/sessions', input)
  return { sandbox, send, json, opened }
}

/** Opens a session of a server, as another process does, and a client of it. */
export async function openRemote({ url }: Pick<RunningSandbox, 'url'>) {
  const session = await openRemoteSession({ url }, {})
  return { session, client: createClient({ baseUrl: session.baseUrl, token: 'sbx_harbor_1' }) }
}

/** Creates a client for Mara in a session, which the header or the base URL names. */
export function inSession({ fetch }: Pick<Sandbox, 'fetch'>, id: string, by: 'header' | 'baseUrl') {
  return as(
    {
      fetch: (request) => {
        const { pathname, search } = new URL(request.url)
        const path = by === 'header' ? pathname : `/_sandbox/sessions/${id}${pathname}`
        const named = new Request(`http://sandbox${path}${search}`, request)
        if (by === 'header') named.headers.set('sandbox-session', id)
        return fetch(named)
      },
    },
    'mara',
  )
}

/** Lists foreign hosts, some of which look like the sandbox or resolve to it. */
export const foreignHosts = (port: string): string[] =>
  words(`
    evil.example evil.example:${port} localhost.evil.example:${port} .localhost app..localhost localhost..
    localhostx xlocalhost loca1host lvh.me:${port} 127.0.0.1.nip.io 127.0.0.1.evil.example x127.0.0.1
    127.0.0 127.1 127.0.0.0.1 127.0x0.0.1 0127.0.0.1 0x7f000001 2130706433:${port} 0 0.0.0.0:${port} 1.0.0.127
    126.255.255.255 128.0.0.1 192.168.0.1:${port} 169.254.169.254 [::]:${port} [1::1] [0:0:0:0:0:0:0:1]
    [::ffff:7f00:1]:${port} [fe80::1] host.docker.internal xn--lcalhost-9ng null *
  `)

/** Lists malformed Host headers, which the server rejects before it reads them. */
export const malformedHosts = (port: string): string[] => [
  '',
  ' ',
  'localhost, evil.example',
  'localhost evil.example',
  ...words(`
    :${port} ::1 [::1 [::1]x [::1].evil.example [::1%25lo] [localhost] localhost@evil.example
    user:pass@localhost:${port} localhost/evil.example localhost\\evil.example localhost#evil.example
    localhost?evil.example localhost%00.evil.example %6cocalhost localhost:port localhost:-1 localhost:123456
    http://localhost:${port}
  `),
]

/** Lists obfuscated spellings of a control-plane path; `x` is a session. */
export const bentPaths = (call: string): string[] =>
  words(`
    /%5fsandbox/${call} /%5f%73%61%6e%64%62%6f%78/${call} /%255fsandbox/${call} /%c1%9fsandbox/${call}
    /_sandbox/%${call.charCodeAt(0).toString(16)}${call.slice(1)} //_sandbox/${call} /%2f_sandbox/${call}
    /../_sandbox/${call} /%2e/_sandbox/${call} /_sandbox/../_sandbox/${call} /_sandbox//${call}
    /_sandbox/x/%2e%2e/${call} /_sandbox%2f${call} /_sandbox%5c${call} /_sandbox\\${call} /_sandbox%c0%af${call}
    /_sandbox%00/${call} /_sandbox/${call}%00 /_sandbox/${call}%0d%0a /_sandbox/${call}/ /_sandbox/${call};v1
    /_sandbox/${call}?/v1 /_sandbox/${call}#/v1 /_sandbox/${call}/v1 /_SANDBOX/${call} /v1/_sandbox/${call}
    /v1/../_sandbox/${call} /v1/..%2f_sandbox/${call} /v1?/../_sandbox/${call} /health/../_sandbox/${call}
    /_sandbox/sessions/../${call} /_sandbox/sessions/..%2f${call} /_sandbox/sessions/x/../../${call}
    /_sandbox/sessions/x/_sandbox/${call} /_sandbox/sessions/x/v1/../../../${call}
    /_sandbox/sessions/x/v1%2f..%2f..%2f..%2f${call} /_sandbox/sessions/x/%76%31/../../../${call}
  `)

/** Lists foreign origins; `https://app.example` is not among them. */
export function foreignOrigins(port: string): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  const next = String(Number(port) + 1)
  const ofOthers = [...foreignHosts(port), ...malformedHosts(port)].flatMap((host) => {
    const named = /:\d+$/.test(host) ? host : `${host}:${port}`
    return [`http://${named}`, `https://${named}`]
  })
  const bent = names.flatMap((name) => [
    ...words(`
      http://${name} http://${name}:${next} http://${name}:${port}0 http://${name}:0${port}
      https://${name}:${port} https://${name} ws://${name}:${port} ftp://${name}:${port} ${name}:${port}
      //${name}:${port} http:${name}:${port} http:/${name}:${port} http:///${name}:${port}
      xhttp://${name}:${port} http://${name}:${port}/ http://${name}:${port}/x http://${name}:${port}?x
      http://${name}:${port}#x http://${name}:${port}.evil.example http://${name}:${port}@evil.example
      http://evil.example@${name}:${port}
    `),
    `http://${name}:${port}, http://evil.example`,
    `http://${name}:${port} http://evil.example`,
    `http://evil.example http://${name}:${port}`,
  ])
  const likeApp = words(`
    http://app.example https://app.example:444 https://app.example. https://app.exampl https://xapp.example
    https://x.app.example https://app.example.evil.example https://appxexample
    https://app.example@evil.example https://app.example/x app.example
  `)
  const opaque = ['', ...words('null file:// data: about:blank chrome-extension://abcdef http:// *')]
  return [...ofOthers, ...bent, ...likeApp, ...opaque]
}

/** Lists the paths of GET requests to the control plane, some of which fail. */
export const reads = words(`
    / /_sandbox /_sandbox/ /_sandbox/assets/nothing.js /docs /docs/ /health /_sandbox/health
    /_sandbox/credentials /_sandbox/visibility /_sandbox/assumptions /_sandbox/clock /_sandbox/faults
    /_sandbox/faults/profiles /_sandbox/faults/fault-1 /_sandbox/faults/fault-9 /_sandbox/requests
    /_sandbox/requests?bodies=true /_sandbox/requests/1 /_sandbox/requests/9 /_sandbox/requests/warnings
    /_sandbox/requests.har /_sandbox/data /_sandbox/data/changes /_sandbox/data/customers
    /_sandbox/data/customers/1 /_sandbox/data/custommers /_sandbox/sessions /_sandbox/sessions/x
    /_sandbox/sessions/y /_sandbox/clock/advance /_sandbox/reset /_sandbox/reseed /_sandbox/nowhere
    /openapi.json /_sandbox/openapi.json /_sandbox/service/openapi.json
  `)

/** Lists requests that fail in every possible way. */
export const wrongCalls: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['POST', '/_sandbox/reseed', '{"fixture":"../../etc/passwd"}'],
  ['POST', '/_sandbox/reseed', '{"size":'],
  ['POST', '/_sandbox/reseed', '{"fixture":{"customers":[{"id":1,"managerId":[]}]}}'],
  ['PUT', '/_sandbox/clock', '[]'],
  ['POST', '/_sandbox/clock/advance', '{"by":"P"}'],
  ['POST', '/_sandbox/faults', '{"operationId":"nothing","status":999}'],
  ['DELETE', '/_sandbox/faults/fault-9'],
  ['PUT', '/_sandbox/data/customers/1', '{"memberRoles":[{"key":1}],"__proto__":{"x":1}}'],
  ['PATCH', '/_sandbox/data/customers/1', '\u0000'],
  ['DELETE', '/_sandbox/data/members/1'],
  ['POST', '/_sandbox/requests/verify', '{"count":"x"}'],
  ['POST', '/_sandbox/sessions', '{"id":"/","from":{}}'],
  ['PROPFIND', '/_sandbox/sessions'],
  ['POST', '/_sandbox/preview', '{"path":"../x","token":1}'],
  ['GET', '/v1/%ff%00/../../etc/passwd'],
  ['POST', '/v1/organizations/harbor/customers/1/notes', '{"categoryId":{}}'],
  ['OPTIONS', '/v1/members/me'],
]
