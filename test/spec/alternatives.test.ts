import { expect, it } from 'vitest'

import type { Choice } from '../../src/contract/choice.ts'
import { choices } from '../../src/contract/choices.ts'
import { choiceNames } from '../../src/contract/settings.ts'
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

  /** Returns the keys of a record, or of a list's first record. */
  async keys(path: string, init?: RequestInit): Promise<string[]> {
    const body = await this.json(path, init)
    const [record] = Array.isArray(body) ? body : (body.items ?? [body])
    return Object.keys(record)
  }

  async openapi(): Promise<string> {
    return (await this.send('/openapi.json')).text()
  }
}

const note = (text: object = { content: 'Called them' }) => createJsonPost({ categoryId: 1, ...text })
const notes = '/customers/1/notes'

/** Finds a meeting with a transcript and a contact. */
async function findMeeting(tenant: Tenant): Promise<{ contacts: object[]; transcript: object[] }> {
  for (let id = 1; id <= 60; id += 1) {
    const { items } = await tenant.json(`/customers/${id}/meetings`)
    for (const { id: meetingId, hasTranscript, contacts } of items) {
      if (hasTranscript && contacts.length > 0) return tenant.json(`/customers/${id}/meetings/${meetingId}`)
    }
  }
  throw new Error('no meeting was transcribed')
}

interface Parts {
  readonly triggers: readonly unknown[]
  readonly children: readonly Parts[]
}

/** Finds an automation's child that has triggers. */
async function findChild(tenant: Tenant): Promise<Parts> {
  for (const { id } of await tenant.json('/automations')) {
    const { children }: Parts = await tenant.json(`/automations/${id}`)
    const found = children.find(({ triggers }) => triggers.length > 0)
    if (found) return found
  }
  throw new Error('no automation has a child')
}

async function findActionLogs(tenant: Tenant): Promise<string> {
  for (const { id } of await tenant.json('/automations')) {
    const { actions } = await tenant.json(`/automations/${id}`)
    for (const action of actions) {
      const path = `/automations/${id}/actions/${action.id}/logs`
      if ((await tenant.json(path)).totalCount > 0) return path
    }
  }
  throw new Error('no action has logs')
}

async function findBriefContents(tenant: Tenant): Promise<string> {
  for (let id = 1; id <= 60; id += 1) {
    const path = `/customers/${id}/briefs/1/contents`
    if ((await tenant.json(path)).totalCount > 0) return path
  }
  throw new Error('no brief has contents')
}

const sort = (texts: Iterable<string>) => Array.from(texts).toSorted((a, b) => (a < b ? -1 : 1))

const everyStatus = ['active', 'ACTIVE', 'live', 'prospect', 'PROSPECT', 'lead']

/** How a client observes each assumption; without `is`, each alternative must give another value. */
const seen: Record<
  keyof typeof choices,
  { look: (tenant: Tenant) => Promise<unknown>; is?: readonly unknown[] }
> = {
  pages: { look: async (tenant) => Array.isArray(await tenant.json('/briefs')), is: [false, true] },
  envelopes: { look: async (tenant) => Array.isArray(await tenant.json('/products')), is: [true, false] },
  order: {
    look: async (tenant) => {
      const [first, second] = (await tenant.json('/customers')).items
      return first.id < second.id
    },
    is: [true, false],
  },
  refusals: { look: (tenant) => tenant.status('/customers/9999/notes?limit=0'), is: [400, 404] },
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
  textMatching: {
    look: async (tenant) => (await tenant.json('/customers?country=gerMANY')).totalCount > 0,
    is: [false, true],
  },
  unknownParameters: { look: (tenant) => tenant.status('/customers?colour=red'), is: [200, 400] },
  integers: { look: (tenant) => tenant.status('/customers?limit=1e1'), is: [400, 200] },
  cors: {
    look: async (tenant) => (await tenant.send('/v1/members/me')).headers.get('access-control-allow-origin'),
    is: ['*', null],
  },
  noteText: {
    look: async (tenant) =>
      (await tenant.keys(notes, note())).concat(await tenant.keys(notes, note({ text: 'a' }))),
  },
  automationList: {
    look: async (tenant) => (await tenant.json('/automations')).length,
  },
  actionLogText: {
    look: async (tenant) => (await tenant.keys(await findActionLogs(tenant)))[2],
    is: ['message', 'detail'],
  },
  briefName: { look: async (tenant) => (await tenant.keys('/briefs'))[2], is: ['name', 'title'] },
  briefText: {
    look: async (tenant) => (await tenant.keys(await findBriefContents(tenant)))[3],
    is: ['content', 'text'],
  },
  customFieldType: {
    look: async (tenant) => (await tenant.keys('/custom-fields'))[3],
    is: ['type', 'dataType'],
  },
  noteCategoryName: {
    look: async (tenant) => (await tenant.keys('/note-categories'))[1],
    is: ['name', 'label'],
  },
  productName: { look: async (tenant) => (await tenant.keys('/products'))[2], is: ['name', 'title'] },
  metricType: {
    look: async (tenant) => (await tenant.keys('/products/1/metrics'))[3],
    is: ['type', 'dataType'],
  },
  subCategoryName: {
    look: async (tenant) => Object.keys((await tenant.json('/signals?limit=1')).items[0].subCategory),
    is: [
      ['id', 'name'],
      ['id', 'label'],
    ],
  },
  contactNames: {
    look: async (tenant) => Object.keys((await findMeeting(tenant)).contacts[0] ?? {}),
    is: [
      ['id', 'email', 'firstName', 'lastName'],
      ['id', 'email', 'givenName', 'familyName'],
    ],
  },
  transcriptTimes: {
    look: async (tenant) => Object.keys((await findMeeting(tenant)).transcript[0] ?? {}),
    is: [
      ['speaker', 'text', 'startSeconds', 'endSeconds'],
      ['speaker', 'text', 'start', 'end'],
    ],
  },
  childParts: {
    look: async (tenant) => typeof (await findChild(tenant)).triggers[0],
    is: ['object', 'number'],
  },
  noteTouches: {
    look: async (tenant) => {
      await tenant.send(`/v1/organizations/harbor${notes}`, note())
      return (await tenant.json('/customers/1')).updatedDate === sandbox.dataset.now
    },
    is: [false, true],
  },
  dateFilters: {
    look: async (tenant) => {
      const { updatedDate } = await tenant.json('/customers/1')
      const since = updatedDate.replace('Z', '9Z')
      const { items } = await tenant.json(`/customers?updatedSince=${since}&limit=250`)
      return items.some(({ id }: { id: number }) => id === 1)
    },
    is: [false, true],
  },
  unknownMember: { look: (tenant) => tenant.status('/customers?memberId=99999'), is: [200, 400] },
  timestamps: {
    look: async (tenant) => (await tenant.json('/customers/1')).updatedDate.replace(/^.{17}\d\d/, ''),
    is: [expect.stringMatching(/^\.\d{3}Z$/), 'Z', expect.stringMatching(/^\.\d{3}\+00:00$/)],
  },
  openStrings: {
    look: async (tenant) => (await tenant.json('/customers?segment=MID_MARKET')).totalCount > 0,
    is: [false, true],
  },
  signalNotes: {
    look: async (tenant) => typeof (await tenant.json('/signals?limit=1')).items[0].notes,
    is: ['object', 'string'],
  },
  singleValues: {
    look: async (tenant) =>
      [await tenant.status('/customers?limit=1&limit=2'), await tenant.status('/customers?limit=')].join(),
    is: ['400,400', '200,200'],
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
