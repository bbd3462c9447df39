import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, it, onTestFinished } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { connected, postHead } from '../reliability/raw-http.ts'
import { bodyOf, exitCode, noteContents, postNote, serve, until } from './command.ts'

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'exits with 0 on %s, and releases its folder',
  async (signal) => {
    const data = temporaryFolder()
    const { child, stderr } = await serve(['--data', data])
    child.kill(signal)
    expect(await exitCode(child)).toBe(0)
    expect(readdirSync(data)).not.toContain('lock.json')
    expect(await stderr).toBe('')
  },
)

/** For tests of real time, since a busy machine may take longer once. */
const timed = { retry: 3 }

it('ignores a second SIGINT within a second, which is the echo of the first', timed, async () => {
  const { child, url } = await serve(['--memory'])
  await halfSent(url)
  child.kill('SIGINT')
  await refusal(url)
  child.kill('SIGINT')
  expect(await exitCode(child)).toBe(0)
})

it('exits at once on a later SIGINT', timed, async () => {
  const { child, url } = await serve(['--memory'])
  await halfSent(url)
  const begun = performance.now()
  child.kill('SIGINT')
  await until(() => performance.now() - begun > 1_200)
  child.kill('SIGINT')
  // One that had waited for the request in flight would exit with 0.
  expect(await exitCode(child)).toBe(130)
})

it('starts with a closed standard output', async () => {
  const data = temporaryFolder()
  const command = `exec "${process.execPath}" "${resolve('dist/cli.js')}" --port 0 --size small --data "${data}" >&-`
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const stderr = text(child.stderr)
  const url = await announced(data)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exitCode(child)).toBe(0)
  expect(await stderr).toBe('')
})

it('exits quietly if an export is not read to its end', async () => {
  const command = `"${process.execPath}" "${resolve('dist/cli.js')}" export --memory | head -c 100 >/dev/null`
  const child = spawn('bash', ['-c', `set -o pipefail; ${command}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  const stderr = text(child.stderr)
  expect(await exitCode(child)).toBe(0)
  expect(await stderr).toBe('')
})

it('prints a line for each request to standard error with --log', async () => {
  const { url, baseUrl, child, stderr } = await serve(['--memory', '--log'])
  const { baseUrl: inSession } = await bodyOf<{ baseUrl: string }>(
    await fetch(`${url}/_sandbox/sessions`, { method: 'POST', body: '{"id":"x"}' }),
  )
  const mara = { authorization: 'Bearer sbx_harbor_1' }
  await fetch(`${baseUrl}/members/me?access_token=secret`, { headers: mara })
  await fetch(`${inSession}/nowhere%0A`, { headers: { authorization: 'Bearer sbx_quill_501' } })
  await fetch(`${baseUrl}/members/me`, { headers: { 'sandbox-session': 'none' } })
  const fault = { operationId: 'getCurrentMember', reset: true }
  await fetch(`${url}/_sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
  await fetch(`${baseUrl}/members/me`, { headers: mara }).catch(() => undefined)
  child.kill('SIGTERM')
  const lines = (await stderr).trimEnd().split('\n')
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
  const expected = [
    'POST /_sandbox/sessions 200 MS - default',
    'GET /v1/members/me?access_token=*** 200 MS harbor/1 default',
    'GET /v1/nowhere%0A 404 MS quill/501 x',
    'GET /v1/members/me 404 MS - -',
    'POST /_sandbox/faults 200 MS - default',
    'GET /v1/members/me reset MS harbor/1 default',
  ]
  const shown = lines.map((line) => line.replace(new RegExp(`^${time} `), '').replace(/\d+\.\dms/, 'MS'))
  expect(shown).toEqual(expected)
})

it.each(['export --memory', 'openapi --memory', 'start --port 0 --memory --size 3', '--version'])(
  'fails if the disk behind its standard output is full: %s',
  async (args) => {
    const command = `exec "${process.execPath}" "${resolve('dist/cli.js')}" ${args} >/dev/full`
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const stderr = text(child.stderr)
    expect(await exitCode(child)).toBe(1)
    expect(await stderr).toBe(
      'Cannot write to standard output: the disk is full. Free some space and try again.\n',
    )
  },
)

it('rejects writes above the file size limit, continues to read, and writes again without the limit', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'only Linux lets us change what a process may write')
  const { baseUrl, child } = await serve(['--data', temporaryFolder()])
  await postNote(baseUrl, 'Before')
  await limitFiles(child.pid, '10')
  await expect(postNote(baseUrl, 'Refused')).rejects.toThrow(/^507: .*"code":"storage_full"/)
  expect(await noteContents(baseUrl)).not.toContain('Refused')
  await limitFiles(child.pid, 'unlimited')
  await postNote(baseUrl, 'After')
  expect((await noteContents(baseUrl)).slice(-2)).toEqual(['Before', 'After'])
})

/** Waits until a server accepts no more connections. */
async function refusal(url: string): Promise<void> {
  for (;;) {
    const taken = await fetch(`${url}/health`).then(
      (response) => response.text(),
      () => undefined,
    )
    if (taken === undefined) return
  }
}

const inFlight = JSON.stringify({ categoryId: 1, content: 'In flight' })

/** Connects a client and sends the head of a note, which the server has read. */
async function halfSent(url: string) {
  const client = await connected(url)
  client.send(postHead(inFlight))
  await client.received('100 Continue')
  return client
}

/** Sets the file size limit of a process. Units: bytes. */
async function limitFiles(pid: number | undefined, limit: string): Promise<void> {
  const command = `prlimit --pid ${pid} --fsize=${limit}:unlimited`
  const child = spawn('sh', ['-c', command], { stdio: 'ignore' })
  expect(await exitCode(child)).toBe(0)
}

/** Reads the URL that the server of a folder announces. */
async function announced(data: string): Promise<string> {
  const found = () => {
    try {
      const { url }: { url: string | null } = JSON.parse(readFileSync(join(data, 'lock.json'), 'utf8'))
      return url
    } catch {
      return null
    }
  }
  await until(() => found() !== null)
  return found() ?? ''
}
