import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'

import { expect, it, onTestFinished, type TestContext } from 'vitest'

import {
  begin,
  exitCode,
  listening,
  noteContents,
  postNote,
  runAlone,
  serve,
} from '../entry-points/command.ts'
import { readFiles, temporaryFolder } from '../folders.ts'

const unshare = ['--pid', '--fork', '--mount-proc', '--kill-child']

/** Starts a server in a PID namespace of its own, as in a container; skips the test if that is not permitted. */
async function serveElsewhere({ skip }: Pick<TestContext, 'skip'>, data: string) {
  const { status } = spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' })
  if (status !== 0) skip('a PID namespace needs Linux and root')
  const server = [
    process.execPath,
    resolve('dist/cli.js'),
    'start',
    '--port',
    '0',
    '--size',
    'small',
    '--json',
  ]
  const child = spawn('unshare', [...unshare, ...server, '--data', data], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const started = await listening(child)
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return { ...started, pidHere: Number(children.trim()) }
}

it('rejects a folder that a server in another PID namespace is using', async (context) => {
  const data = temporaryFolder()
  const { url, pid } = await serveElsewhere(context, data)
  const refused = listening(begin(['start', '--port', '0', '--json', '--data', data]))
  await expect(refused).rejects.toThrow(/^the server ended with 1: Cannot use [^\n]*\.\n$/)
  await expect(refused).rejects.toThrow(`(pid ${pid}, host ${hostname()}) is using it at ${url}.`)
})

it('neither resets nor reseeds the files of a server in another PID namespace', async (context) => {
  const data = temporaryFolder()
  const { url, baseUrl } = await serveElsewhere(context, data)
  await postNote(baseUrl, 'Kept')
  const before = readFiles(data)
  for (const verb of ['reset', 'reseed']) {
    const { code, stderr } = await runAlone([verb, '--data', data])
    expect(code).toBe(1)
    expect(stderr).toContain(url)
    expect(stderr).toContain('--url')
  }
  expect(readFiles(data)).toEqual(before)
  expect(await noteContents(baseUrl)).toContain('Kept')
})

it('takes over the folder of a server that was killed in another PID namespace', async (context) => {
  const data = temporaryFolder()
  const killed = await serveElsewhere(context, data)
  await postNote(killed.baseUrl, 'Kept')
  killed.child.kill('SIGKILL')
  await exitCode(killed.child)
  const { baseUrl } = await serve(['--data', data])
  expect(await noteContents(baseUrl)).toContain('Kept')
})

it('lets exactly one of three servers that start at once take over such a folder', async (context) => {
  const data = temporaryFolder()
  const killed = await serveElsewhere(context, data)
  killed.child.kill('SIGKILL')
  await exitCode(killed.child)
  const servers = [1, 2, 3].map(() => begin(['--port', '0', '--json', '--data', data]))
  const outcomes = await Promise.allSettled(servers.map((server) => listening(server)))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(2)
  for (const error of refused) expect(String(error)).toContain('ended with 1: Cannot use')
})

it('loses nothing when a suspended server resumes after another took its folder', async (context) => {
  const data = temporaryFolder()
  const first = await serveElsewhere(context, data)
  await postNote(first.baseUrl, 'By the first')
  process.kill(first.pidHere, 'SIGSTOP')
  const second = await serve(['--data', data])
  await postNote(second.baseUrl, 'By the second')

  process.kill(first.pidHere, 'SIGCONT')
  const kept = readFiles(data)
  await expect(postNote(first.baseUrl, 'Refused')).rejects.toThrow(/^503: .*"code":"storage_unavailable"/)
  process.kill(first.pidHere, 'SIGTERM')
  await exitCode(first.child)
  expect(readFiles(data)).toEqual(kept)
  await postNote(second.baseUrl, 'Once more')

  second.child.kill('SIGKILL')
  await exitCode(second.child)
  const third = await serve(['--data', data])
  const notes = (await noteContents(third.baseUrl)).filter((note) => /By the|Refused|Once/.test(note))
  expect(notes).toEqual(['By the first', 'By the second', 'Once more'])
})
