import { expect, it } from 'vitest'

import type { Choice } from '../../src/contract/choices.ts'
import { choiceNames, choices } from '../../src/contract/choices.ts'
import { type Answering, as, createJsonPost, home, note, openSandbox } from '../support.ts'

const sandbox = await openSandbox({ size: 60 })

/** Requests of a session that overrides one assumption. Paths begin in the caller's organization. */
interface Tenant {
  readonly status: (path: string, init?: RequestInit) => Promise<number>
  // oxlint-disable-next-line typescript/no-explicit-any -- its form depends on the assumption
  readonly json: (path: string, init?: RequestInit) => Promise<any>
}

function createTenant(session: Answering): Tenant {
  const send = (path: string, init?: RequestInit) => as(session, 'mara').send(`${home}${path}`, init)
  return {
    status: async (...request) => (await send(...request)).status,
    json: async (...request) => (await send(...request)).json(),
  }
}

const post = createJsonPost(note)
const notes = '/customers/1/notes'

const sort = (texts: Iterable<string>) => Array.from(texts).toSorted((a, b) => (a < b ? -1 : 1))

const everyStatus = ['active', 'prospect', 'ACTIVE', 'PROSPECT', 'live', 'lead']

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
    look: (tenant) => tenant.status('/../quill/members'),
    is: [403, 404],
  },
  foreignRecord: { look: (tenant) => tenant.status('/members/501'), is: [404, 403] },
  absentValues: {
    look: async (tenant) => {
      const { items } = await tenant.json('/signals?status=open&limit=1')
      const { managerId } = await tenant.json('/members/6')
      return [items[0].closedDate, items[0].outcome?.name, managerId]
    },
    is: [
      ['', 'No outcome', 6],
      [null, undefined, null],
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
    look: (tenant) => Promise.all(everyStatus.map((status) => tenant.status(`/customers?status=${status}`))),
    is: [
      [200, 200, 400, 400, 400, 400],
      [400, 400, 200, 200, 400, 400],
      [400, 400, 400, 400, 200, 200],
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
      await tenant.status(notes, post)
      return (await tenant.json('/customers/1')).updatedDate === sandbox.dataset.now
    },
    is: [false, true],
  },
  timestamps: {
    look: async (tenant) => (await tenant.json('/customers/1')).updatedDate.replace(/^.{17}\d\d/, ''),
    is: [expect.stringMatching(/^\.\d{3}Z$/), 'Z', expect.stringMatching(/^\.\d{3}\+00:00$/)],
  },
  createStatus: { look: (tenant) => tenant.status(notes, post), is: [200, 201] },
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
      const session = sandbox.session({ assumptions: { [name]: value } })
      found.push(await look(createTenant(session)))
      documents.add(await (await session.fetch(new Request('http://sandbox/openapi.json'))).text())
    }
    expect(found).toEqual(is ?? found)
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(alternatives.length)
    expect(documents.size).toBe(alternatives.length)
  },
)
