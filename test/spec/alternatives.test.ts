import { expect, it } from 'vitest'

import type { Choice } from '../../src/contract/choices.ts'
import { choiceNames, choices } from '../../src/contract/choices.ts'
import { openSandbox, createJsonPost, tokens } from '../support.ts'

const sandbox = await openSandbox({ size: 60 })

/** A client of a session that overrides one assumption. */
class Tenant {
  readonly #session: string

  constructor(session: string) {
    this.#session = session
  }

  async send(path: string, init: RequestInit = {}, token: string = tokens.mara): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    headers.set('sandbox-session', this.#session)
    return sandbox.fetch(new Request(`http://sandbox${path}`, { ...init, headers }))
  }

  /** Returns the status of a response within the caller's organization. */
  async status(path: string, init?: RequestInit): Promise<number> {
    return (await this.send(`/v1/organizations/harbor${path}`, init)).status
  }

  /** Returns the JSON of a response within the caller's organization. */
  // oxlint-disable-next-line typescript/no-explicit-any -- its form depends on the assumption
  async json(path: string, init?: RequestInit): Promise<any> {
    return (await this.send(`/v1/organizations/harbor${path}`, init)).json()
  }

  async openapi(): Promise<string> {
    return (await this.send('/openapi.json')).text()
  }
}

const note = () => createJsonPost({ categoryId: 1, content: 'Called them' })
const notes = '/customers/1/notes'

const sort = (texts: Iterable<string>) => Array.from(texts).toSorted((a, b) => (a < b ? -1 : 1))

const everyStatus = ['active', 'ACTIVE', 'live', 'prospect', 'PROSPECT', 'lead']

/** How a client observes each assumption; without `is`, each alternative must give another value. */
const seen: Record<
  keyof typeof choices,
  { look: (tenant: Tenant) => Promise<unknown>; is?: readonly unknown[] }
> = {
  pages: { look: async (tenant) => Array.isArray(await tenant.json('/briefs')), is: [false, true] },
  envelopes: { look: async (tenant) => Array.isArray(await tenant.json('/products')), is: [true, false] },
  errorFormat: {
    look: async (tenant) => Object.keys(await tenant.json('/customers/9999')),
    is: [['type', 'title', 'status', 'detail', 'code'], ['error'], ['message', 'statusCode']],
  },
  violationStatus: { look: (tenant) => tenant.status('/customers?limit=0'), is: [400, 422] },
  otherOrganization: {
    look: async (tenant) => (await tenant.send('/v1/organizations/quill/members')).status,
    is: [403, 404],
  },
  foreignRecord: { look: (tenant) => tenant.status('/members/501'), is: [404, 403] },
  absentValues: {
    look: async (tenant) => {
      const { items } = await tenant.json('/signals?status=open&limit=1')
      return [items[0].closedDate, items[0].outcome?.name]
    },
    is: [
      ['', 'No outcome'],
      [null, undefined],
    ],
  },
  signalStatuses: {
    look: async (tenant) => {
      const { items } = await tenant.json('/signals?limit=250')
      return sort(new Set(items.map(({ status }: { status: string }) => status)))
    },
    is: choices.signalStatuses.alternatives.map(({ value }) => sort(Object.values(value))),
  },
  customerStatuses: {
    look: async (tenant) => {
      const accepted: string[] = []
      for (const status of everyStatus) {
        if ((await tenant.status(`/customers?status=${status}`)) === 200) accepted.push(status)
      }
      return accepted
    },
    is: [
      ['active', 'prospect'],
      ['ACTIVE', 'PROSPECT'],
      ['live', 'lead'],
    ],
  },
  team: { look: async (tenant) => (await tenant.json('/customers?scope=team')).totalCount },
  arrayEncoding: {
    look: async (tenant) => (await tenant.json('/customers?country=Germany,France')).totalCount > 0,
    is: [false, true],
  },
  unknownParameters: { look: (tenant) => tenant.status('/customers?colour=red'), is: [200, 400] },
  noteTouches: {
    look: async (tenant) => {
      await tenant.send(`/v1/organizations/harbor${notes}`, note())
      return (await tenant.json('/customers/1')).updatedDate === sandbox.dataset.now
    },
    is: [false, true],
  },
  timestamps: {
    look: async (tenant) => (await tenant.json('/customers/1')).updatedDate.replace(/^.{17}\d\d/, ''),
    is: [expect.stringMatching(/^\.\d{3}Z$/), 'Z', expect.stringMatching(/^\.\d{3}\+00:00$/)],
  },
  createStatus: { look: (tenant) => tenant.status(notes, note()), is: [200, 201] },
}

const byName: Readonly<Record<string, Choice>> = choices

it.each(choiceNames)(
  'every value of %s is visible to a client, and in the OpenAPI document',
  async (name) => {
    const alternatives = byName[name]?.alternatives ?? []
    const { look, is } = seen[name]
    const found: unknown[] = []
    const documents = new Set<string>()
    for (const { value } of alternatives) {
      const tenant = new Tenant(sandbox.session({ assumptions: { [name]: value } }).id)
      found.push(await look(tenant))
      documents.add(await tenant.openapi())
    }
    expect(found).toEqual(is ?? found)
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(alternatives.length)
    expect(documents.size).toBe(alternatives.length)
  },
)
