import { expect } from 'vitest'

import { type Choice, choices } from '../src/contract/choices.ts'
import { problems } from '../src/core/errors.ts'
import { createSandbox, type DatasetOptions, type FieldError, type ProblemCode } from '../src/index.ts'
import type { Sandbox } from '../src/index.ts'

/** A page of a paginated list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly totalCount: number
}

/** The body of an error response. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  readonly errors?: readonly FieldError[]
}

/** Calls the service as one member. Paths are relative to the base URL, as in the document. */
export interface Client {
  /** Sends a GET request, expects 200 and returns the body. */
  get<T>(path: string): Promise<T>
  /** Sends a POST request, expects 200 and returns the body. */
  post<T>(path: string, body: unknown): Promise<T>
  /** Sends a request and returns the response, whatever its status. */
  send(path: string, init?: RequestInit): Promise<Response>
}

/** Splits a text into words. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

/** The tokens of the cast. Omar belongs to quill, everybody else to harbor. */
export const tokens = {
  mara: 'sbx_harbor_1',
  theo: 'sbx_harbor_2',
  priya: 'sbx_harbor_3',
  jonas: 'sbx_harbor_7',
  omar: 'sbx_quill_501',
  nobody: undefined,
} as const

/** The paths of the default caller's organization, of its customers, and of the notes on the first of them. */
export const home = '/organizations/harbor'
export const customers = `${home}/customers`
export const notes = `${customers}/1/notes`

/** Every assumption, set to its second value. */
export const overrides = Object.fromEntries(
  Object.entries<Choice>(choices).map(([name, { alternatives }]) => [name, alternatives[1]?.value]),
)

/** The body of a request that creates a note. */
export const note = { categoryId: 1, content: 'Called them.' }

/** Opens a sandbox, with 25 customers by default. */
export function openSandbox(options: DatasetOptions = {}): Promise<Sandbox> {
  return createSandbox({ size: 'small', ...options })
}

/** Anything that answers requests: a sandbox, a session, or a server. */
export interface Answering {
  readonly fetch: (request: Request) => Promise<Response>
}

/** Calls a server, or what is below another URL of it, with additional headers. */
export const overHttp = (url: string, headers: Readonly<Record<string, string>> = {}): Answering => ({
  fetch: (request) => {
    const sent = new Request(request.url.replace('http://sandbox', url), request)
    for (const [name, value] of Object.entries(headers)) sent.headers.set(name, value)
    return fetch(sent)
  },
})

/** Creates a client for a member of the cast. `nobody` sends no token. */
export function as(sandbox: Answering, name: keyof typeof tokens): Client {
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (tokens[name] !== undefined && !headers.has('authorization')) {
      headers.set('authorization', `Bearer ${tokens[name]}`)
    }
    return sandbox.fetch(new Request(`http://sandbox/v1${path}`, { ...init, headers }))
  }
  const read = async (path: string, init?: RequestInit) => {
    const response = await send(path, init)
    const text = await response.text()
    expect(response.status, `${path}: ${text}`).toBe(200)
    return JSON.parse(text)
  }
  return {
    send,
    get: (path) => read(path),
    post: (path, body) => read(path, createJsonPost(body)),
  }
}

/** Creates the options of a POST request with a JSON body. */
export function createJsonPost(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const all = { 'content-type': 'application/json', ...headers }
  return { method: 'POST', headers: all, body: JSON.stringify(body) }
}

/** Calls the control plane, in the default session or in the one with an id. */
export function control(
  { fetch }: Answering,
  method: string,
  path: string,
  body?: unknown,
  session?: string,
): Promise<Response> {
  const headers = session === undefined ? {} : { 'sandbox-session': session }
  const init = body === undefined ? { headers } : createJsonPost(body, headers)
  return fetch(new Request(`http://sandbox/_sandbox${path}`, { ...init, method }))
}

/** Calls the control plane, expects that it succeeds, and returns the body. */
export async function readControl<T>(...call: Parameters<typeof control>): Promise<T> {
  const response = await control(...call)
  const text = await response.text()
  expect(response.status, `${call[1]} ${call[2]}: ${text}`).toBeLessThan(300)
  return JSON.parse(text || 'null')
}

/** Expects an error response with this code and its status and title. */
export async function expectProblem(response: Response, code: ProblemCode): Promise<Problem> {
  const text = await response.text()
  expect(response.status, `response: ${text}`).toBe(problems[code].status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem: Problem = JSON.parse(text)
  expect(problem).toMatchObject({ code, status: problems[code].status, title: problems[code].title })
  return problem
}

/** Expects a 400 with exactly these errors, each named as in `query limit`. */
export async function expectInvalid(response: Response, ...places: readonly string[]): Promise<void> {
  const { errors = [] } = await expectProblem(response, 'invalid_request')
  expect(errors.map((error) => `${error.in} ${error.name}`)).toEqual(places)
}

/** Expects a value, and names what was tried, such as the seed of a random test, if it is another. */
export const expectSame = (tried: string, found: unknown, expected: unknown): void =>
  expect({ tried, found }).toEqual({ tried, found: expected })

/** Reads the CPU time of this process, which grows alike on a quiet and on a busy machine. Units: milliseconds. */
export function readCpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** A GET request of a crawl and the body of its response. */
export interface Visit {
  readonly operationId: string
  readonly path: string
  readonly text: string
}

/** A record in a list. */
export interface Listed {
  readonly id: number
  readonly createdDate?: string
}

interface Node extends Listed {
  readonly triggers: readonly Listed[]
  readonly actions: readonly Listed[]
  readonly children: readonly Node[]
}

/** Reads everything a member can see: every list in pages of 250, and every single record. */
export async function crawl(client: Client): Promise<Visit[]> {
  const visits: Visit[] = []
  const one = async <T>(operationId: string, path: string): Promise<T> => {
    const response = await client.send(path)
    const text = await response.text()
    expect(response.status, `${path}: ${text}`).toBe(200)
    visits.push({ operationId, path, text })
    return JSON.parse(text)
  }
  const list = (operationId: string, path: string) => one<readonly Listed[]>(operationId, path)
  const pages = async (operationId: string, path: string): Promise<readonly Listed[]> => {
    const items: Listed[] = []
    for (let total = 1; items.length < total;) {
      const page = await one<Page<Listed>>(operationId, `${path}?offset=${items.length}&limit=250`)
      if (page.items.length === 0) break
      items.push(...page.items)
      total = page.totalCount
    }
    return items
  }
  const automation = async (at: string): Promise<void> => {
    const { triggers, actions, children } = await one<Node>('getAutomation', at)
    for (const { id } of triggers) await pages('listAutomationTriggerLogs', `${at}/triggers/${id}/logs`)
    for (const { id } of actions) await pages('listAutomationActionLogs', `${at}/actions/${id}/logs`)
    for (const { id } of children) await automation(at.replace(/\d+$/, `${id}`))
  }

  const { organizationId } = await one<{ organizationId: string }>('getCurrentMember', '/members/me')
  const root = `/organizations/${organizationId}`
  for (const { id } of await list('listMembers', `${root}/members`)) {
    await one('getMember', `${root}/members/${id}`)
  }
  for (const { id } of await list('listAutomations', `${root}/automations`)) {
    await automation(`${root}/automations/${id}`)
  }
  await list('listCustomFields', `${root}/custom-fields`)
  await list('listMemberRoles', `${root}/member-roles`)
  await list('listNoteCategories', `${root}/note-categories`)
  for (const { id } of await list('listProducts', `${root}/products`)) {
    await list('listProductMetrics', `${root}/products/${id}/metrics`)
  }
  for (const { id } of await pages('listSignals', `${root}/signals`)) {
    await one('getSignal', `${root}/signals/${id}`)
  }
  const briefs = await pages('listBriefs', `${root}/briefs`)
  for (const { id } of await pages('listCustomers', `${root}/customers`)) {
    const customer = `${root}/customers/${id}`
    await one('getCustomer', customer)
    await pages('listCustomerNotes', `${customer}/notes`)
    for (const brief of briefs) {
      await pages('listCustomerBriefContents', `${customer}/briefs/${brief.id}/contents`)
    }
    for (const meeting of await pages('listCustomerMeetings', `${customer}/meetings`)) {
      await one('getCustomerMeeting', `${customer}/meetings/${meeting.id}`)
    }
  }
  return visits
}
