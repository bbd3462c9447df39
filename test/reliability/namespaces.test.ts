import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { expect, it, type TestContext } from 'vitest'

import { exitCode, noteContents, postNote, runAlone, serve } from '../entry-points/command.ts'
import { readFiles, temporaryFolder } from '../folders.ts'

const unshare = ['--pid', '--fork', '--mount-proc', '--kill-child']

/** Starts a server in a PID namespace of its own, as in a container; skips the test if that is not permitted. */
async function serveElsewhere({ skip }: Pick<TestContext, 'skip'>, data: string) {
  const { status } = spawnSync('unshare', [...unshare, 'true'], { stdio: 'ignore' })
  if (status !== 0) skip('a PID namespace needs Linux and root')
  const started = await serve(['--data', data], { under: ['unshare', ...unshare] })
  const children = readFileSync(`/proc/${started.child.pid}/task/${started.child.pid}/children`, 'utf8')
  return { ...started, pidHere: Number(children.trim()) }
}

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
