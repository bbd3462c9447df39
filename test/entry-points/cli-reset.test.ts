import { once } from 'node:events'
import { writeFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { folderWith, readFiles, temporaryFolder } from '../folders.ts'
import { serve as serveHere } from '../sandbox/control-support.ts'
import { bodyOf, createUsedFolder, noteContents, postNote, run, runAlone, serve } from './command.ts'

/** The environment of a command whose default port is another. */
const onPort = (url: string) => ({ WORKSPACE_SANDBOX_PORT: new URL(url).port })

/** Serves the same response to every request, and counts those that would write. */
async function otherServer(status: number, body: string) {
  const seen = { writes: 0 }
  const server = createServer((request, response) => {
    if (request.method !== 'GET') seen.writes += 1
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, seen }
}

/** Finds a URL that nobody listens on. */
async function deadUrl(): Promise<string> {
  const { url, close } = await startSandbox({ size: 3, port: 0 })
  await close()
  return url
}

/** Node 20 and 22 use no proxy of the environment. */
const usesProxy = Number(process.versions.node.split('.', 1)[0]) >= 24

it.runIf(usesProxy)('calls a server of this machine without the proxy of the environment', async () => {
  const { url, seen } = await otherServer(502, '{}')
  const { url: ours, baseUrl } = await serveHere({ size: 'small' })
  await postNote(baseUrl, 'Written')
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url, http_proxy: url, NO_PROXY: 'corp.example' }
  expect(await runAlone(['reset', '--url', ours], { env })).toMatchObject({ code: 0 })
  expect(seen.writes).toBe(0)
  expect(await noteContents(baseUrl)).not.toContain('Written')
})

it.each(['', '/', '/v1'])(
  'resets a protected server by its URL%s with its admin token only',
  async (path) => {
    const { url, baseUrl } = await serveHere({ size: 'small', adminToken: 'secret' })
    await postNote(baseUrl, 'Written')
    const reset = ['reset', '--url', `${url}${path}`]
    const stderr = expect.stringMatching(
      /^Cannot reset the server at .* Pass its token with --admin-token\.\n$/,
    )
    expect(await run(reset)).toEqual({ code: 1, stdout: '', stderr })
    const stdout = `Reset ${url}: all changes were dropped.\n`
    expect(await run([...reset, '--admin-token', 'secret'])).toEqual({ code: 0, stdout, stderr: '' })
    expect(await noteContents(baseUrl)).not.toContain('Written')
  },
)

it.each(['reset', 'reseed'])(
  'leaves the server of another project alone if asked to %s nothing',
  async (verb) => {
    const cwd = temporaryFolder()
    const { url, baseUrl } = await serveHere({ size: 'small' })
    await postNote(baseUrl, 'Written')
    for (const env of [onPort(url), { ...onPort(url), WORKSPACE_SANDBOX_MEMORY: '1' }]) {
      const stderr = expect.stringMatching(new RegExp(`^Nothing to ${verb}: .*--url.*--data.*\\n$`))
      expect(await run([verb], { cwd, env })).toEqual({ code: 1, stdout: '', stderr })
    }
    const { stderr } = await run([verb, '--data', 'empty'], { cwd, env: onPort(url) })
    expect(stderr).toMatch(new RegExp(`^Nothing to ${verb}: there is no data in empty\\. .*--url.*\\n$`))
    expect(await noteContents(baseUrl)).toContain('Written')
    expect(readFiles(cwd)).toEqual({})
  },
)

it('resets and reseeds a server without a folder by its URL, creates no folder, and prints the result as JSON with --json', async () => {
  const cwd = temporaryFolder()
  const { url } = await serveHere({ size: 'small' })
  const target = { target: url }
  const dataset = { seed: 7, size: 25, fixture: 'default', now: '2026-01-15T12:00:00.000Z', replaced: [] }
  const reset = await run(['reset', '--url', url, '--json'], { cwd })
  expect(JSON.parse(reset.stdout)).toEqual(target)
  const reseeded = await run(['reseed', '--url', url, '--seed', '7', '--json'], { cwd })
  expect(JSON.parse(reseeded.stdout)).toEqual({ ...target, ...dataset })
  expect(await bodyOf(await fetch(`${url}/health`))).toMatchObject({ seed: 7 })
  expect(readFiles(cwd)).toEqual({})
})

it('acts on the server of the folder, not on the one on the default port', async () => {
  const cwd = temporaryFolder()
  const other = await serveHere({ size: 'small' })
  await postNote(other.baseUrl, 'Elsewhere')
  const { url, baseUrl } = await serve([], { cwd })
  await postNote(baseUrl, 'Written')
  const { stdout } = await run(['reset'], { cwd, env: onPort(other.url) })
  expect(stdout).toBe(`Reset ${url}: all changes were dropped.\n`)
  expect(await noteContents(other.baseUrl)).toContain('Elsewhere')
})

it('makes the dataset that reseed describes, in a folder without data', async () => {
  const cwd = temporaryFolder()
  const env = onPort(await deadUrl())
  const key = 'seed 7, size 3, fixture default, now 2026-01-15T12:00:00.000Z'
  const stdout = `Reseeded .workspace-sandbox: ${key}.\n`
  const reseeded = await run(['reseed', '--seed', '7', '--size', '3'], { cwd, env })
  expect(reseeded).toEqual({ code: 0, stdout, stderr: '' })
  expect((await run(['reset'], { cwd, env })).code).toBe(0)
})

it('says why no server answers', async () => {
  const fact = /: no sandbox answers there \(connect ECONNREFUSED .*\)\. Check the URL given with --url\.\n$/
  const stderr = expect.stringMatching(fact)
  expect(await run(['reset', '--url', await deadUrl()])).toEqual({ code: 1, stdout: '', stderr })
})

it.each([
  [200, '{"status":"ok"}'],
  [401, '{"code":"unauthorized"}'],
  [404, 'Not found'],
])('leaves another program alone that responds with %i %s', async (status, body) => {
  const { url, seen } = await otherServer(status, body)
  const stderr = expect.stringMatching(
    /^Cannot reset http.*: no sandbox answers there \(another program does\)\./,
  )
  expect(await run(['reset', '--url', url])).toEqual({ code: 1, stdout: '', stderr })
  expect(seen.writes).toBe(0)
})

it.each([
  ['--url', 'nowhere'],
  ['--url', 'http://127.0.0.1:4500/elsewhere'],
  ['--url', 'http://127.0.0.1:4500', '--data', 'data'],
])('rejects %s %s %s %s as wrong usage', async (...args) => {
  const stderr = expect.stringContaining('--url')
  expect(await run(['reset', ...args])).toEqual({ code: 2, stdout: '', stderr })
})

it.runIf(process.platform !== 'win32')(
  'says which server does not answer, as one that is suspended, instead of waiting for it',
  async () => {
    const cwd = temporaryFolder()
    const { url, pid, child } = await serve([], { cwd })
    child.kill('SIGSTOP')
    const verbs = ['reset', 'reseed']
    expect(await Promise.all(verbs.map((verb) => runAlone([verb], { cwd })))).toEqual(
      verbs.map((verb) => ({
        code: 1,
        stdout: '',
        stderr: `Cannot ${verb} the server with pid ${pid} at ${url}: it has not answered for 5 seconds. Continue it if it is suspended (kill -CONT ${pid}), or stop it and run this command again.\n`,
      })),
    )
  },
)

it.each([
  ['dataset.json', false, '{', 'it is cut off', 42],
  [
    'dataset.json',
    false,
    '{"format":2,"id":1,"version":"0","seed":1,"size":1000000000}',
    'size in line 1 must be a whole number from 3 to 100000',
    42,
  ],
  ['changes.jsonl', true, '', 'it is empty', 7],
] as const)(
  'replaces a damaged %s by reseeding, and says so',
  async (name, isKilled, content, fact, seed) => {
    const data = await createUsedFolder({ seed: 7 }, isKilled)
    writeFileSync(join(data, name), content)
    const stderr = expect.stringMatching(new RegExp(`^Cannot read ${name} in .*: ${fact}\\. .*reseed`))
    expect(await run(['start', '--data', data])).toEqual({ code: 1, stdout: '', stderr })

    const { code, stdout } = await run(['reseed', '--data', data, '--size', 'small'])
    expect(code).toBe(0)
    expect(stdout).toContain(`Reseeded ${data}: seed ${seed}, `)
    expect(stdout).toContain(`${name} (${fact})`)

    const { url, baseUrl, close } = await startSandbox({ port: 0, data })
    expect(await bodyOf(await fetch(`${url}/health`))).toMatchObject({ seed })
    expect(await noteContents(baseUrl)).not.toContain('Written')
    await postNote(baseUrl, 'Afterwards')
    await close()
  },
)

it.each([
  ['of a newer format', (text: string) => text.replace('"format": 2', '"format": 3'), []],
  ['that is damaged, for a fixture that does not exist', () => '{', ['--fixture', 'none']],
])('does not touch dataset.json %s', async (_, damage, args) => {
  const data = await createUsedFolder()
  const path = join(data, 'dataset.json')
  writeFileSync(path, damage(readFileSync(path, 'utf8')))
  const before = readFiles(data)
  expect((await run(['reseed', '--data', data, ...args])).code).toBe(1)
  expect(readFiles(data)).toEqual(before)
})

it('leaves a folder as it is if a step of the timeline refers to nothing', async () => {
  const timeline = [{ at: 'now+1d', notes: [{ id: 70_000, customerId: 404 }] }]
  const cwd = folderWith({ 'scripted.json': { timeline } })
  const options = ['--size', '3', '--future', 'living', '--fixture', 'scripted.json', '--data', 'tenant']
  for (const command of [['reseed'], ['start', '--port', '0']]) {
    const stderr = expect.stringContaining('timeline[0].notes[0].customerId 404 matches no customer')
    expect(await run([...command, ...options], { cwd })).toEqual({ code: 1, stdout: '', stderr })
    expect(Object.keys(readFiles(join(cwd, 'tenant')))).not.toContain('dataset.json')
  }
})
