import { expect, it } from 'vitest'

import { importPacked } from '../packed.ts'
import { openSandbox } from '../support.ts'
import { bundled, opened, serviceWorker } from './chromium.ts'
import { asked, everything } from './embedding-requests.ts'

/**
 * Bytes that a page may load for the core, before it opens a sandbox and in total: a little more than was measured. The
 * texts of records take a third of the first load, because they are generated when they are read. The medium dataset takes
 * half of the total: a page loads it in a tenth of the time that it takes to generate it.
 * Units: bytes, gzipped.
 */
const budget = { first: 254_000, all: 960_000 }

const core = `
  import { createSandbox } from 'workspace-sandbox'
  window.ready = async (options) => {
    const sandbox = await createSandbox(options)
    const [{ members: [{ token }] }] = sandbox.credentials.organizations
    const headers = { authorization: 'Bearer ' + token }
    window.ask = async (path) => {
      const answer = await sandbox.fetch(new Request('http://sandbox/v1' + path, { headers }))
      return { status: answer.status, body: await answer.json() }
    }
    return sandbox.dataset.fingerprint()
  }`

it('runs in Chromium, with the data that it has anywhere', async () => {
  const { url, sizes } = await bundled(core)
  const { page, errors, requests } = await opened(url)
  const before = requests.length
  const fingerprint = await page.evaluate('ready({ size: "small", seed: 7 })')
  const here = await openSandbox({ seed: 7 })
  expect(fingerprint).toBe(await here.dataset.fingerprint())
  expect(await page.evaluate('ask("/members/me")')).toMatchObject({ status: 200, body: { id: 1 } })
  expect(await page.evaluate('ask("/member/me")')).toMatchObject({ status: 404 })
  expect(errors).toEqual([])
  expect(requests.filter((address) => !address.startsWith(url))).toEqual([])
  // The generators are loaded on first use.
  expect(requests.length).toBeGreaterThan(before)
  expect.soft(sizes.first).toBeLessThan(budget.first)
  expect.soft(sizes.all).toBeLessThan(budget.all)
})

/** Calls a session in process, and another one through the service worker of MSW. */
const mocked = `
  import { setupWorker } from 'msw/browser'
  import { createSandbox } from 'workspace-sandbox'
  import { createClient } from 'workspace-sandbox/client'
  import { sandboxHandlers } from 'workspace-sandbox/msw'

  const everything = ${everything.toString()}
  const baseUrl = 'https://api.example.com/v1'
  const sandbox = await createSandbox({ size: 'small' })
  const session = sandbox.session()
  window.inProcess = (asked) => everything(asked, 'http://sandbox/v1', session.fetch)
  window.mocked = sandbox.session()
  await setupWorker(...sandboxHandlers(mocked, { baseUrl })).start({ quiet: true, onUnhandledRequest: 'bypass' })
  window.throughMsw = (asked) => everything(asked, baseUrl, (request) => fetch(request))
  window.client = createClient({ baseUrl, token: sandbox.credentials.organizations[0].members[0].token })
  window.ready = (asked) => asked.then((value) => ({ value }), ({ name, status }) => ({ name, status }))`

it('answers the same bytes in Chromium, also through MSW, and breaks connections where faults say so', async () => {
  const { url } = await bundled(mocked, serviceWorker())
  const { page } = await opened(url)
  const { createSandbox } = await importPacked('workspace-sandbox')
  const here = (await createSandbox({ size: 'small' })).session()
  const expected = await everything(asked, 'http://sandbox/v1', here.fetch)
  for (const way of ['inProcess', 'throughMsw']) {
    expect(await page.evaluate(`${way}(${JSON.stringify(asked)})`), `by ${way}`).toEqual(expected)
  }
  for (const breakage of [{ reset: true }, { malfunction: 'empty' }, { malfunction: 'truncate' }]) {
    const fault = JSON.stringify({ operationId: 'getCurrentMember', ...breakage, times: 1 })
    const failed = `mocked.faults.add(${fault}), ready(client.getCurrentMember())`
    expect(await page.evaluate(failed), `by ${fault}`).toEqual({ name: 'TypeError' })
    expect(await page.evaluate('client.getCurrentMember()')).toMatchObject({ id: 1 })
  }
})
