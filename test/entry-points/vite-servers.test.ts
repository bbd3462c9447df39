import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { createLogger, createServer, type Plugin } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { workspaceSandbox, type SandboxOptions } from '../../src/vite.ts'
import { temporaryFolder } from '../folders.ts'
import { expectProblem } from '../support.ts'
import { exitCode, serve } from './command.ts'
import { addressOf, mara, notes, page, postNote, served } from './vite-support.ts'

it('stores its data in a folder relative to the root, and releases it when the server closes', async () => {
  const root = page()
  const first = await served({ data: 'data' }, { root })
  expect((await postNote(addressOf(first), 'Kept')).status).toBe(200)
  const lock = () => JSON.parse(readFileSync(join(root, 'data', 'lock.json'), 'utf8'))
  expect(lock()).toMatchObject({ pid: process.pid, url: expect.stringContaining('http://') })
  await first.close()
  expect(lock).toThrow('ENOENT')
  const second = await served({ data: 'data' }, { root })
  const list = await fetch(`${addressOf(second)}${notes}`, { headers: mara })
  expect(await list.text()).toContain('Kept')
})

it.each([{ port: 0 }, { port: 0, perEnvironmentStartEndDuringDev: true }])(
  'continues with the same folder when Vite restarts its server, with %j',
  async (options) => {
    const server = await served({ data: 'data' }, { root: page(), server: options })
    for (const content of ['Before', 'Once', 'Twice']) {
      expect((await postNote(addressOf(server), content)).status).toBe(200)
      await server.restart()
    }
    const list = await (await fetch(`${addressOf(server)}${notes}`, { headers: mara })).text()
    expect(list).toMatch(/Before.*Once.*Twice/)
  },
)

it('closes with its server, not with another one that has the same plugin', async () => {
  const plugins = [workspaceSandbox({ size: 'small', data: 'data' })]
  const [first, second] = [
    await served({}, { root: page(), plugins }),
    await served({}, { root: page(), plugins }),
  ]
  await second.close()
  expect((await postNote(addressOf(first), 'Still there')).status).toBe(200)
  await first.close()
  expect(readdirSync(join(first.config.root, 'data'))).not.toContain('lock.json')
})

it('says on every request that another server has its folder, which goes on, and opens once that has closed', async () => {
  const root = page()
  const first = await served({ data: 'data' }, { root })
  const second = await served({ data: 'data' }, { root })
  for (const path of ['/v1/members/me', notes, '/_sandbox/health', '/_sandbox']) {
    const refused = await fetch(`${addressOf(second)}${path}`, { headers: mara })
    expect((await expectProblem(refused, 'storage_unavailable')).detail).toContain(
      'cannot use its data folder: this process is using it at http://',
    )
  }
  expect((await postNote(addressOf(first), 'Kept')).status).toBe(200)
  await first.close()
  const list = await fetch(`${addressOf(second)}${notes}`, { headers: mara })
  expect(await list.text()).toContain('Kept')
})

it('starts beside a server of another process on its folder, names that one, and opens once it has closed', async () => {
  const root = page()
  const first = await serve(['--data', join(root, 'data')])
  await postNote(first.url, 'Kept')
  const second = await served({ data: 'data' }, { root })
  expect(await (await fetch(`${addressOf(second)}/`)).text()).toContain('The page')
  for (const path of [notes, '/_sandbox/health']) {
    const refused = await fetch(`${addressOf(second)}${path}`, { headers: mara })
    const { detail } = await expectProblem(refused, 'storage_unavailable')
    expect(detail).toBe(
      `The sandbox of this server cannot use its data folder: the server with pid ${first.pid} is using it at ${first.url}. It opens once that server has closed.`,
    )
  }
  first.child.kill('SIGTERM')
  await exitCode(first.child)
  const list = await fetch(`${addressOf(second)}${notes}`, { headers: mara })
  expect(await list.text()).toContain('Kept')
})

it('stays whole when another plugin fails to restart', async () => {
  const root = page()
  let isBroken = false
  const other: Plugin = {
    name: 'other',
    configureServer: () => {
      if (isBroken) throw new Error('wrong')
    },
  }
  const plugins = [workspaceSandbox({ size: 'small', data: 'data' }), other]
  const server = await served({}, { root, plugins, server: { port: 0 } })
  isBroken = true
  await server.restart()
  expect((await postNote(addressOf(server), 'Whole')).status).toBe(200)
  isBroken = false
  await server.restart()
  expect((await postNote(addressOf(server), 'Mended')).status).toBe(200)
  await server.close()
  expect(readdirSync(join(root, 'data'))).not.toContain('lock.json')
})

it('stays open when Vite fails to restart its server', async () => {
  const root = page()
  const options: SandboxOptions = { size: 'small', data: 'data' }
  const server = await served(options, { root, plugins: [workspaceSandbox(options)], server: { port: 0 } })
  Object.assign(options, { seed: 7 })
  await server.restart()
  expect((await postNote(addressOf(server), 'Still there')).status).toBe(200)
  const lock = readFileSync(join(root, 'data', 'lock.json'), 'utf8')
  expect(JSON.parse(lock)).toMatchObject({ url: expect.stringContaining(new URL(addressOf(server)).port) })
})

it('prints the URL of the console under the URLs of Vite, each time that Vite prints them', async () => {
  const lines: string[] = []
  const server = await createServer({
    root: temporaryFolder(),
    base: '/app/',
    configFile: false,
    clearScreen: false,
    customLogger: {
      ...createLogger('info'),
      info: (line: string) => void lines.push(stripVTControlCharacters(line)),
    },
    plugins: [workspaceSandbox({ size: 'small' })],
  })
  onTestFinished(() => server.close())
  await server.listen(0)
  const expectLines = () => {
    lines.length = 0
    server.printUrls()
    const url = addressOf(server)
    const own = lines.filter((line) => !line.includes('Network'))
    expect(own).toEqual([`  ➜  Local:   ${url}/app/`, `  ➜  Sandbox: ${url}/_sandbox`])
  }
  expectLines()
  // As the shortcut `u` does.
  expectLines()
  await server.restart()
  expectLines()
})
