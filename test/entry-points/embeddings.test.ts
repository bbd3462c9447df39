import { setupServer } from 'msw/node'
import { createServer } from 'vite'
import { expect, inject, it, onTestFinished } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { importPacked } from '../packed.ts'
import { type Answered, asked, everything } from './embedding-requests.ts'
import { addressOf } from './vite-support.ts'

const overHttp = (base: string): Promise<Answered[]> => everything(asked, base, (request) => fetch(request))

/** Reads the responses of the packed package in process. */
async function inProcess(): Promise<Answered[]> {
  return everything(asked, 'http://sandbox/v1', (await session()).fetch)
}

async function session(): Promise<SessionHandle> {
  const { createSandbox } = await importPacked('workspace-sandbox')
  return (await createSandbox({ size: 'small' })).session()
}

/** Opens a session over HTTP, and returns its base URL. */
async function sessionAt(url: string): Promise<string> {
  const answer = await fetch(`${url}/_sandbox/sessions`, { method: 'POST' })
  const { baseUrl }: { baseUrl: string } = JSON.parse(await answer.text())
  return baseUrl
}

/** Reads the responses of each way to embed the sandbox. */
const embeddings: Readonly<Record<string, () => Promise<Answered[]>>> = {
  'in process, with another sandbox': inProcess,
  'over HTTP': async () => {
    const { startSandbox } = await importPacked('workspace-sandbox/node')
    const { url, close } = await startSandbox({ size: 'small', port: 0 })
    onTestFinished(close)
    return overHttp(await sessionAt(url))
  },
  'through a Vite dev server': async () => {
    const { workspaceSandbox } = await importPacked('workspace-sandbox/vite')
    const plugins = [workspaceSandbox({ size: 'small' })]
    const root = inject('consumer')
    const server = await createServer({ root, plugins, configFile: false, logLevel: 'silent' })
    onTestFinished(() => server.close())
    await server.listen(0)
    return overHttp(await sessionAt(addressOf(server)))
  },
  'through MSW in Node': async () => {
    const { sandboxHandlers } = await importPacked('workspace-sandbox/msw')
    const baseUrl = 'https://api.example.com/rest/v1'
    const server = setupServer(...sandboxHandlers(await session(), { baseUrl }))
    server.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => server.close())
    return overHttp(baseUrl)
  },
}

it('asks what is answered in every way', async () => {
  const answers = await inProcess()
  const statuses = new Set(answers.map(({ status }) => status))
  expect(statuses).toEqual(new Set([200, 400, 401, 403, 404, 405, 415]))
  expect(new Set(answers.map(({ date }) => date))).toEqual(new Set(['Thu, 15 Jan 2026 12:00:00 GMT']))
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(15)
  expect(answers.at(-1)?.body).toContain('GrÃ¼Ã')
})

it.each(Object.entries(embeddings))(
  'answers the same bytes, at the time of the session, %s',
  async (_, answers) => {
    const expected = await inProcess()
    const found = await answers()
    for (const [index, request] of asked.entries()) {
      expect.soft(found[index], `${request.method ?? 'GET'} ${request.path}`).toEqual(expected[index])
    }
    expect(found).toHaveLength(asked.length)
  },
)
