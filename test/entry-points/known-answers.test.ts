import { describe, expect, it, onTestFinished } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { as, crawl } from '../support.ts'

/** Creates a `fetch` that sends additional headers to a server. */
const over = (base: string, headers: Readonly<Record<string, string>> = {}) => ({
  fetch: (request: Request) => {
    const sent = new Request(request.url.replace('http://sandbox', base), request)
    for (const [header, value] of Object.entries(headers)) sent.headers.set(header, value)
    return fetch(sent)
  },
})

/** Starts a server that caches responses after one or two requests, and returns its sandbox. */
async function start() {
  const running = await startSandbox({ size: 'small', port: 0 })
  onTestFinished(() => running.close())
  const { url, sandbox } = running
  return { url, sandbox, mara: as(over(url), 'mara') }
}

const customers = '/organizations/harbor/customers'
const name = async (answer: Promise<{ readonly name: string }>) => (await answer).name

/** Repeats a request until the response is cached. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  for (let time = 0; time < 3; time += 1) await ask()
  return ask()
}

describe('a repeated request', () => {
  it('returns the same bytes and headers every time, as without a cache', async () => {
    const { url, mara } = await start()
    const visits = await crawl(mara)
    // A request with a preference is not cached.
    const careful = as(over(url, { prefer: 'handling=strict' }), 'mara')
    const unlike = new Set(['date', 'sandbox-warning'])
    for (const { path } of visits.filter((_, index) => index % 7 === 0)) {
      const told = async (response: Response) => {
        const headers = Array.from(response.headers).filter(([header]) => !unlike.has(header))
        return { status: response.status, headers, body: await response.text() }
      }
      const first = await told(await careful.send(path))
      for (let time = 0; time < 4; time += 1) expect(await told(await mara.send(path))).toEqual(first)
    }
  })

  it('returns a changed record, and the former one after a reset', async () => {
    const { sandbox, mara } = await start()
    const read = () => name(mara.get(`${customers}/1`))
    const before = await asked(read)
    await sandbox.data.customers.patch(1, { name: 'Renamed Foods' })
    expect(await asked(read)).toBe('Renamed Foods')
    await sandbox.reset()
    expect(await read()).toBe(before)
  })

  it('returns changes of embedded records', async () => {
    const { sandbox, mara } = await start()
    const read = () => mara.get<{ memberRoles: { members: { firstName: string }[] }[] }>(`${customers}/1`)
    const [role] = (await asked(read)).memberRoles
    expect(role?.members[0]?.firstName).toBe('Mara')
    await sandbox.data.members.patch(1, { firstName: 'Maren' })
    expect((await read()).memberRoles[0]?.members[0]?.firstName).toBe('Maren')
  })

  it('returns another dataset after a reseed', async () => {
    const { sandbox, mara } = await start()
    const read = () => name(mara.get(`${customers}/20`))
    const before = await asked(read)
    await sandbox.reseed({ seed: 7 })
    expect(await asked(read)).not.toBe(before)
  })

  it('follows the clock if it depends on it', async () => {
    const { sandbox, mara } = await start()
    const read = async () =>
      (await mara.get<{ totalCount: number }>(`${customers}?updatedSince=2025-12-01T00:00Z`)).totalCount
    expect(await asked(read)).toBeGreaterThan(0)
    sandbox.clock.set('2025-12-02T00:00:00Z')
    const early = await read()
    sandbox.clock.set('2026-01-15T12:00:00Z')
    expect(await read()).toBeGreaterThan(early)
  })

  it('returns to each caller their own response', async () => {
    const { url } = await start()
    const [mara, theo, nobody] = [as(over(url), 'mara'), as(over(url), 'theo'), as(over(url), 'nobody')]
    const me = async (client: typeof mara) => (await client.send('/members/me')).text()
    await asked(() => me(mara))
    expect(await asked(() => me(theo))).toContain('Theo')
    expect(await me(mara)).toContain('Mara')
    expect((await nobody.send('/members/me')).status).toBe(401)
  })

  it('returns the data of each session, by base URL and by header', async () => {
    const { url, sandbox, mara } = await start()
    const session = sandbox.session({ id: 'other' })
    const byAddress = as(over(`${url}/_sandbox/sessions/other`), 'mara')
    const byHeader = as(over(url, { 'sandbox-session': 'other' }), 'mara')
    const read = (client: typeof mara) => name(client.get(`${customers}/1`))
    const before = await asked(() => read(mara))
    expect([await read(byAddress), await read(byHeader)]).toEqual([before, before])
    await session.data.customers.patch(1, { name: 'Elsewhere' })
    expect([await read(byAddress), await read(byHeader)]).toEqual(['Elsewhere', 'Elsewhere'])
    expect(await read(mara)).toBe(before)
    session.close()
    expect((await byHeader.send(`${customers}/1`)).status).toBe(404)
  })
})
