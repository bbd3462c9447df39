import { describe, expect, it } from 'vitest'

import { type AssumptionReport, assumptionMatrix, type SessionHandle } from '../../src/index.ts'
import { as, control, expectInvalid, openSandbox, createJsonPost, type Problem } from '../support.ts'

const sandbox = await openSandbox({ size: 60 })
const home = '/organizations/harbor'
const nightly = (await sandbox.data.triggerLogs.list({ organizationId: 'harbor' })).items[0]
const note = createJsonPost({ categoryId: 1, content: 'Called them' })

const ids = ({ assumptions }: AssumptionReport) => assumptions.map(({ id }) => id).toSorted()

/** Lists the assumptions that one of Mara's requests depends on. Order: by id. */
async function used(path: string, init?: RequestInit, session = sandbox.session()): Promise<string[]> {
  session.requests.clear()
  await as(session, 'mara').send(path, init)
  return ids(session.requests.assumptions())
}

/** Reads a response to Mara as a page of another origin sees it. */
async function readResponse(session: SessionHandle, path: string, init?: RequestInit) {
  const headers = new Headers(init?.headers)
  headers.set('origin', 'http://app.example')
  const answer = await as(session, 'mara').send(path, { ...init, headers })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
}

describe('a request', () => {
  it.for(['/members/me', `${home}/members/1`])('%s depends on documented rules only', async (path) => {
    const session = sandbox.session()
    await as(session, 'mara').get(path)
    const nothing = { assumptions: [], requests: 1, documented: { count: 1 } }
    expect(session.requests.assumptions()).toMatchObject(nothing)
  })

  it.for<[string, string[]]>([
    // Envelope, order, fields.
    [`${home}/products`, ['A-02', 'A-03', 'A-25']],
    [`${home}/member-roles`, ['A-02', 'A-03']],
    [`${home}/briefs`, ['A-01', 'A-03', 'A-21']],
    [`${home}/customers/1`, ['A-35', 'A-37', 'A-45', 'A-46', 'A-48']],
    [`${home}/signals/1`, ['A-09', 'A-10', 'A-27', 'A-35', 'A-37', 'A-41', 'A-44', 'A-49']],
    [`${home}/customers/1/briefs/1/contents`, ['A-01', 'A-22', 'A-35']],
    [`${home}/automations/${nightly?.automationId}/triggers/${nightly?.triggerId}/logs`, ['A-35', 'A-42']],
    // Which records a list contains.
    [`${home}/members`, ['A-02', 'A-03', 'A-47']],
    [`${home}/customers?limit=1`, ['A-03', 'A-35', 'A-37', 'A-43', 'A-45', 'A-46', 'A-48']],
    [`${home}/customers/1/meetings?limit=1`, ['A-03', 'A-28', 'A-35', 'A-47']],
    // Parameters.
    [`${home}/customers?limit=1&scope=all`, ['A-03', 'A-35', 'A-37', 'A-43', 'A-45', 'A-46', 'A-48']],
    [`${home}/customers?limit=1&scope=mine`, ['A-03', 'A-35', 'A-37', 'A-45', 'A-46', 'A-48']],
    [`${home}/customers?limit=1&scope=team`, ['A-03', 'A-12', 'A-35', 'A-37', 'A-45', 'A-46', 'A-48']],
    [`${home}/customers?segment=none`, ['A-14']],
    [`${home}/customers?segment=none&segment=nil`, ['A-13', 'A-14']],
    [`${home}/customers?segment[]=none`, ['A-13', 'A-14']],
    [`${home}/customers?updatedSince=2026-01-15T12:00:00.123Z`, []],
    [`${home}/customers?updatedSince=2026-01-15T12:00:00.1234Z`, ['A-33']],
    [`${home}/customers?memberId=7`, []],
    [`${home}/customers?memberId=999`, ['A-34']],
    [`${home}/customers?segment=none&colour=red`, ['A-14', 'A-15']],
    [`${home}/customers?memberId=7&status=active`, ['A-11']],
    // Errors.
    [`${home}/customers?limit=0`, ['A-05', 'A-06']],
    [`${home}/customers?limit=1e1`, ['A-05', 'A-06', 'A-16']],
    [`${home}/customers?limit=1&limit=2`, ['A-05', 'A-06', 'A-50']],
    [`${home}/signals?scope=`, ['A-05', 'A-06', 'A-50']],
    ['/organizations/quill/members', ['A-05', 'A-07']],
    [`${home}/members/501`, ['A-05', 'A-08']],
    [`${home}/customers/9999/notes?limit=0`, ['A-04', 'A-05', 'A-06', 'A-18']],
    ['/nowhere', ['A-05']],
  ])('%s depends on %j', async ([path, expected]) => {
    expect(await used(path)).toEqual(expected)
  })

  it('that creates depends on the assumptions about its body and its effects, and on a status other than 200', async () => {
    expect(await used(`${home}/customers/1/notes`, note)).toEqual(['A-18', 'A-32', 'A-35'])
    const created = sandbox.session({ assumptions: { createStatus: 201 } })
    expect(await used(`${home}/customers/1/notes`, note, created)).toContain('A-39')
    expect(await used(`${home}/customers/1/notes`, createJsonPost({}))).toEqual(['A-05', 'A-06', 'A-18'])
  })

  it('from another origin or by HEAD depends on the assumptions about HTTP, without a known token on the error format alone', async () => {
    expect(await used('/members/me', { headers: { origin: 'http://app.example' } })).toEqual(['A-17'])
    expect(await used('/members/me', { method: 'HEAD' })).toEqual(['A-17'])
    const session = sandbox.session()
    await as(session, 'nobody').send(`${home}/signals?scope=team`)
    expect(ids(session.requests.assumptions())).toEqual(['A-05'])
  })

  it('depends on the form of absent values only if a value is absent', async () => {
    const session = sandbox.session()
    await session.data.automations.patch(1, { children: [], deactivatedDate: '2026-01-02T03:04:05.000Z' })
    expect(await used(`${home}/automations/1`, undefined, session)).not.toContain('A-09')
    await session.data.automations.patch(1, { deactivatedDate: null })
    expect(await used(`${home}/automations/1`, undefined, session)).toContain('A-09')
  })

  it('depends on every possible field of its response if the body was evicted', async () => {
    const head = await used(`${home}/signals?status=open`, { method: 'HEAD' })
    const fields = ['A-09', 'A-10', 'A-27', 'A-35', 'A-37', 'A-41', 'A-44', 'A-49']
    expect(head).toEqual(['A-03', 'A-17', 'A-43', 'A-47', ...fields].toSorted())
  })

  it('depends on what its session overrides, and on the form of records only if the response has one', async () => {
    const session = sandbox.session({ assumptions: { openStrings: 'codes' } })
    expect(await used(`${home}/customers/1`, undefined, session)).toContain('A-37')
    const other = sandbox.session()
    await other.data.meetings.patch(1, { hasTranscript: false, contacts: [] })
    expect(await used(`${home}/customers/1/meetings/1`, undefined, other)).toEqual(['A-35'])
  })
})

it.for<[string, RequestInit?]>([
  [`${home}/customers/1`],
  [`${home}/customers?limit=3&scope=team&country=Germany&country=France,Spain`],
  [`${home}/signals?limit=50&status=open`],
  [`${home}/automations`],
  [`${home}/automations/1`],
  [`${home}/customers/1/meetings/1`],
  [`${home}/customers/1/notes`],
  [`${home}/customers/1/notes`, note],
  [`${home}/customers?memberId=99999&updatedSince=2026-01-15T12:00:00.1234Z&x=1`],
  [`${home}/customers/9999?limit=0`],
  [`${home}/members/501`],
  ['/organizations/quill/members'],
  [`${home}/customers?limit=1e1`],
  [`${home}/customers?limit=1&limit=2&memberId=`],
])('everything that changes the response to %s is among its dependencies', async ([path, init]) => {
  const session = sandbox.session()
  const before = await readResponse(session, path, init)
  const names = new Set<string | null>(session.requests.assumptions().assumptions.map(({ name }) => name))
  const { dependsOn } = await assumptionMatrix(
    async (other) => expect(await readResponse(other, path, init)).toEqual(before),
    { sandbox },
  )
  expect(dependsOn.length).toBeGreaterThan(0)
  // That a record is created with 200 is documented.
  expect(dependsOn.filter((name) => !names.has(name) && name !== 'createStatus')).toEqual([])
})

describe('the report of a session', () => {
  it('counts the requests of each assumption, the most used first', async () => {
    const session = sandbox.session()
    const mara = as(session, 'mara')
    await mara.get('/members/me')
    for (let time = 0; time < 25; time += 1) await mara.get(`${home}/products`)
    await mara.get(`${home}/briefs`)
    const { assumptions, ...rest } = session.requests.assumptions()
    expect(assumptions.map(({ id, count }) => [id, count])).toEqual([
      ['A-03', 26],
      ['A-02', 25],
      ['A-25', 25],
      ['A-01', 1],
      ['A-21', 1],
    ])
    expect(assumptions[0]).toEqual({
      id: 'A-03',
      subject: 'Order of lists other than logs',
      name: 'order',
      value: 'id',
      others: ['newest'],
      count: 26,
      operations: ['listBriefs', 'listProducts'],
      requestIds: Array.from({ length: 20 }, (_, index) => index + 2),
    })
    const documented = { count: 1, operations: ['getCurrentMember'] }
    expect(rest).toEqual({ requests: 27, documented, faulted: 0, forgotten: 0 })
  })

  it('counts the requests that the journal has evicted', async () => {
    const session = sandbox.session()
    for (let time = 0; time < 1_003; time += 1) await as(session, 'mara').get('/members/me')
    expect(session.requests.assumptions()).toMatchObject({ requests: 1_000, forgotten: 3 })
  })

  it('reads each response under the assumptions it was made with', async () => {
    const session = sandbox.session({ assumptions: { pages: 'array', absentValues: 'null' } })
    await as(session, 'mara').send(`${home}/briefs`)
    await as(session, 'mara').send(`${home}/signals?status=open`)
    const change = { pages: 'envelope', absentValues: 'typed' }
    await control(sandbox, 'PATCH', '/assumptions', change, session.id)
    const { assumptions } = session.requests.assumptions()
    expect(assumptions.map(({ id }) => id)).toEqual(expect.arrayContaining(['A-01', 'A-09', 'A-21', 'A-27']))
    expect(assumptions.find(({ id }) => id === 'A-01')).toMatchObject({
      value: 'envelope',
      others: ['array'],
    })
  })

  it('is served over HTTP, and empty for a session without requests', async () => {
    const session = sandbox.session()
    await as(session, 'mara').get(`${home}/products`)
    const read = async ({ id }: { readonly id: string }, query = '?used=true') =>
      control(sandbox, 'GET', `/assumptions${query}`, undefined, id)
    expect(await (await read(session)).json()).toEqual(session.requests.assumptions())
    expect(await (await read(sandbox.session())).json()).toMatchObject({ assumptions: [], requests: 0 })
    expect(await (await read(session, '')).json()).toContainEqual(expect.objectContaining({ id: 'A-31' }))
    await expectInvalid(await read(session, '?used=yes'), 'query used')
    const { errors }: Problem = JSON.parse(await (await read(session, '?usd=true')).text())
    expect(errors?.[0]?.message).toContain('Did you mean used')
  })
})

it('the report of a sandbox counts sessions that were reset or have ended', async () => {
  const own = await openSandbox()
  const report = own.collectAssumptions()
  const [ended, reset, live] = [own.session(), own.session(), own.session()]
  for (const session of [ended, reset, live, own]) await as(session, 'mara').get(`${home}/products`)
  ended.close()
  await reset.reset()
  await as(live, 'mara').get('/members/me')
  const { assumptions, requests, documented } = report()
  expect({ requests, count: documented.count }).toEqual({ requests: 5, count: 1 })
  expect(assumptions.map(({ name, count, requestIds }) => [name, count, requestIds])).toEqual([
    ['envelopes', 4, []],
    ['order', 4, []],
    ['productName', 4, []],
  ])
})
