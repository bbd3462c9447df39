import { expect, it } from 'vitest'

import { responseSchema } from '../../src/control/service-openapi.ts'
import { app } from '../../src/http/app.ts'
import { listTables } from '../../src/http/middleware/cache.ts'
import { defaultContract } from '../../src/service/contract.ts'
import { type Endpoint, readRecords } from '../../src/service/endpoint.ts'
import { endpoints } from '../../src/service/index.ts'
import { openState } from '../../src/sessions/open-state.ts'
import { sessionLimits } from '../../src/sessions/sessions.ts'
import { Storage } from '../../src/store/disk/storage.ts'
import { tables } from '../../src/store/tables.ts'
import { parseTarget } from '../../src/testing/request-target.ts'
import { TrackingData } from '../../src/testing/tracking-data.ts'
import { as, createJsonPost, expectProblem, type Listed, type Page } from '../support.ts'
import { getBody, listPaths, mara, sandbox, visits } from './crawled.ts'

it('crawl, in test/support.ts, reads every operation', () => {
  const reached = new Set(visits.map(({ operationId }) => operationId))
  const reading = endpoints.filter(({ method }) => method === 'GET').map(({ id }) => id)
  expect(reading.filter((id) => !reached.has(id))).toEqual([])
})

it('an operation of a single record has no query parameters, which its route does not validate', () => {
  const single = endpoints.filter(({ returns }) => returns === 'one')
  expect(single.flatMap(({ query }) => Object.keys(query.shape))).toEqual([])
})

const createInit = (endpoint: Endpoint) => (endpoint.body ? createJsonPost(getBody(endpoint)) : {})

for (const endpoint of endpoints) {
  const [path = ''] = listPaths(endpoint)
  const init = () => createInit(endpoint)

  it(`${endpoint.id} returns 200 to the default caller, with a media type and exactly the fields of its shape, in order`, async () => {
    const shape = responseSchema(endpoint)
    const response = await as(sandbox.session(), 'mara').send(path, init())
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const read = visits.filter(({ operationId }) => operationId === endpoint.id).map(({ text }) => text)
    for (const text of [await response.text(), ...read]) {
      expect(JSON.stringify(shape.parse(JSON.parse(text)))).toBe(text)
    }
  })

  it(`${endpoint.id} returns 401 without a token, and with every token that is listed as invalid`, async () => {
    const tokens = [...sandbox.credentials.invalidTokens, '', 'sbx_harbor_999999', 'sbx_quill_1']
    const refused = await expectProblem(await as(sandbox, 'nobody').send(path, init()), 'unauthorized')
    expect(refused.detail).toContain('no Authorization header')
    for (const token of tokens) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const response = await mara.send(path, { ...init(), headers })
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      await expectProblem(response, 'unauthorized')
    }
  })
}

for (const endpoint of endpoints.filter(({ path }) => path.includes('{organizationId}'))) {
  it(`${endpoint.id} returns 403 to the member of another organization`, async () => {
    const init = createInit(endpoint)
    for (const path of listPaths(endpoint).slice(0, 3)) {
      await expectProblem(await as(sandbox, 'omar').send(path, init), 'forbidden')
    }
  })
}

for (const endpoint of endpoints.filter(({ path }) => /\{(?!organizationId)/.test(path))) {
  it(`${endpoint.id} returns 404 if any record of its path does not exist`, async () => {
    const init = createInit(endpoint)
    const [path = ''] = listPaths(endpoint)
    const parts = path.split('/')
    for (const [place, part] of parts.entries()) {
      if (!/^\d+$/.test(part)) continue
      await expectProblem(await mara.send(parts.with(place, '9007199254740990').join('/'), init), 'not_found')
    }
  })
}

for (const endpoint of endpoints.filter(({ returns }) => returns === 'page')) {
  it(`${endpoint.id} returns each record exactly once over all pages, in the order of its table, then an empty page`, async () => {
    const lists = await Promise.all(
      [...new Set(listPaths(endpoint))].map(async (path) => {
        const { items } = await mara.get<Page<Listed>>(`${path}?limit=250`)
        return { path, items }
      }),
    )
    const { path, items: all } = lists.reduce((longest, one) =>
      one.items.length > longest.items.length ? one : longest,
    )
    const { totalCount } = await mara.get<Page<Listed>>(`${path}?limit=1`)
    for (const limit of [1, 7, 100, 250]) {
      const ids: number[] = []
      for (let offset = 0; offset < totalCount; offset += limit) {
        const page = await mara.get<Page<Listed>>(`${path}?offset=${offset}&limit=${limit}`)
        expect(page.totalCount).toBe(totalCount)
        expect(page.items).toHaveLength(Math.min(limit, totalCount - offset))
        ids.push(...page.items.map(({ id }) => id))
      }
      expect(new Set(ids).size).toBe(totalCount)
      expect(ids).toHaveLength(totalCount)
    }
    const inOrder = all.toSorted((a, b) =>
      tables[endpoint.resource.table].isNewestFirst ? compareNewest(a, b) : a.id - b.id,
    )
    expect(all.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id))
    for (const offset of [`${totalCount}`, '9007199254740991']) {
      expect(await mara.get(`${path}?offset=${offset}`)).toEqual({ items: [], totalCount })
    }
  })
}

for (const endpoint of endpoints.filter(({ returns }) => returns === 'list')) {
  it(`${endpoint.id} returns an array with each record once, by id`, async () => {
    const lists = visits.filter(({ operationId }) => operationId === endpoint.id)
    expect(lists.length).toBeGreaterThan(0)
    for (const { text } of lists) {
      const ids = JSON.parse(text).map(({ id }: Listed) => id)
      expect(ids).toEqual([...new Set<number>(ids)].toSorted((a, b) => a - b))
    }
  })
}

it('mounts each operation as a route of the Hono app', () => {
  const mounted = new Set(
    app.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${path}`),
  )
  const described = endpoints.map(
    ({ method, path }) => `${method} /v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  expect([...mounted].toSorted()).toEqual(described.toSorted())
})

/** Compares by date, newest first, then by higher id. */
function compareNewest(a: Listed, b: Listed): number {
  if (a.createdDate === b.createdDate) return b.id - a.id
  return (a.createdDate ?? '') < (b.createdDate ?? '') ? 1 : -1
}

async function openData() {
  const parts = { storage: new Storage(), limits: sessionLimits, contract: defaultContract }
  const { defaultSession } = await openState({ size: 'small', fixture: 'edge-cases' }, parts, undefined)
  return defaultSession.data
}

it('every resource names the tables that its records quote, so that a change there is never served stale', async () => {
  const data = await openData()
  for (const resource of new Set(endpoints.map((endpoint) => endpoint.resource))) {
    const { table, embeds } = resource
    const read = new TrackingData(data)
    for (const row of data.select(table, []).page()) resource.present(row, read)
    expect([table, ...[...read.tables].toSorted()]).toEqual([table, ...[...embeds].toSorted()])
  }
})

it('a cached response names every table that it was read from', async () => {
  const data = await openData()
  const settings = defaultContract.settings
  const [caller] = data.select('members', []).page()
  const queries = ['', '?scope=mine', '?scope=team&memberId=1&memberRoleId=1&updatedSince=2026-01-01T00:00Z']
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    for (const path of listPaths(endpoint)
      .slice(0, 20)
      .flatMap((one) => queries.map((query) => one + query))) {
      const read = new TrackingData(data)
      const target = parseTarget(defaultContract, 'GET', `/v1${path}`)
      if (!target || !caller) throw new Error(`${path} is not valid`)
      const call = {
        ...target,
        body: undefined,
        caller,
        data: read,
        settings,
        now: () => '2026-01-15T12:00:00.000Z',
      }
      const record = endpoint.find?.(call)
      if (!endpoint.find || record) readRecords(endpoint, { ...call, record })
      expect(listTables(endpoint)).toEqual(expect.arrayContaining([...read.tables]))
    }
  }
})
