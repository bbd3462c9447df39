import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { createLogger, createServer, type Plugin, type ViteDevServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { workspaceSandbox, type SandboxOptions } from '../../src/vite.ts'
import { temporaryFolder } from '../folders.ts'
import { expectProblem } from '../support.ts'
import { exitCode, noteContents, postNote, serve } from './command.ts'
import { addressOf, mara, page, quiet, served, serviceOf } from './vite-support.ts'

it('stores its data in a folder relative to the root, and releases it when the server closes', async () => {
  const root = page()
  const first = await served({ data: 'data' }, { root })
  await postNote(serviceOf(first), 'Kept')
  const lock = () => JSON.parse(readFileSync(join(root, 'data', 'lock.json'), 'utf8'))
  expect(lock()).toMatchObject({ pid: process.pid, url: expect.stringContaining('http://') })
  await first.close()
  expect(lock).toThrow('ENOENT')
  const second = await served({ data: 'data' }, { root })
  expect(await noteContents(serviceOf(second))).toContain('Kept')
})

it.each([{ port: 0 }, { port: 0, perEnvironmentStartEndDuringDev: true }])(
  'continues with the same folder when Vite restarts its server, with %j',
  async (options) => {
    const server = await served({ data: 'data' }, { root: page(), server: options })
    for (const content of ['Before', 'Once', 'Twice']) {
      await postNote(serviceOf(server), content)
      await server.restart()
    }
    expect((await noteContents(serviceOf(server))).slice(-3)).toEqual(['Before', 'Once', 'Twice'])
  },
)

it('closes with its server, not with another one that has the same plugin', async () => {
  const plugins = [workspaceSandbox({ size: 'small', data: 'data' })]
  const [first, second] = [
    await served({}, { root: page(), plugins }),
    await served({}, { root: page(), plugins }),
  ]
  await second.close()
  await postNote(serviceOf(first), 'Still there')
  await first.close()
  expect(readdirSync(join(first.config.root, 'data'))).not.toContain('lock.json')
})

it('starts beside a server of another process on its folder, names that one, and opens once it has closed', async () => {
  const root = page()
  const first = await serve(['--data', join(root, 'data')])
  await postNote(first.baseUrl, 'Kept')
  const second = await served({ data: 'data' }, { root })
  expect(await (await fetch(`${addressOf(second)}/`)).text()).toContain('The page')
  for (const path of ['/v1/members/me', '/_sandbox/health', '/_sandbox']) {
    const refused = await fetch(`${addressOf(second)}${path}`, { headers: mara })
    const { detail } = await expectProblem(refused, 'storage_unavailable')
    expect(detail).toBe(
      `The sandbox of this server cannot use its data folder: the server with pid ${first.pid} is using it at ${first.url}. It opens once that server has closed.`,
    )
  }
  first.child.kill('SIGTERM')
  await exitCode(first.child)
  expect(await noteContents(serviceOf(second))).toContain('Kept')
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
  await postNote(serviceOf(server), 'Whole')
  isBroken = false
  await server.restart()
  await postNote(serviceOf(server), 'Mended')
  await server.close()
  expect(readdirSync(join(root, 'data'))).not.toContain('lock.json')
})

it('stops watching files if it cannot start, so that Vite does not restart twice from then on', async () => {
  const servers: ViteDevServer[] = []
  const other: Plugin = { name: 'other', configureServer: (server) => void servers.push(server) }
  const plugins = [other, workspaceSandbox({ seed: -1 })]
  await expect(createServer({ ...quiet, root: page(), plugins })).rejects.toThrow('option seed')
  expect(servers.map(({ watcher }) => Reflect.get(watcher, 'closed'))).toEqual([true])
})

it('stays open when Vite fails to restart its server', async () => {
  const root = page()
  const options: SandboxOptions = { size: 'small', data: 'data' }
  const server = await served(options, { root, plugins: [workspaceSandbox(options)], server: { port: 0 } })
  Object.assign(options, { seed: 7 })
  await server.restart()
  await postNote(serviceOf(server), 'Still there')
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
