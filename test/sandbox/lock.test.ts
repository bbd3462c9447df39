import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { expect, it } from 'vitest'

import { findFolderHolder, openFolder } from '../../src/disk/folder.ts'
import { serve } from '../entry-points/command.ts'
import { copyAsKilled, readFiles, createDatasetFile, temporaryFolder } from '../folders.ts'

/** Writes a lock into a folder: that of this process, with some values changed. */
async function lock(folder: string, values: object): Promise<void> {
  const { storage } = await openFolder(folder)
  const own = readFileSync(join(folder, 'lock.json'), 'utf8')
  await storage.close()
  writeFileSync(join(folder, 'lock.json'), own)
  changeLock(folder, values)
}

/** Changes values in the lock of a process. */
function changeLock(folder: string, values: object): void {
  const path = join(folder, 'lock.json')
  writeFileSync(path, `${JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...values })}\n`)
}

/** Returns the pid of a process that has ended. */
async function endedProcess(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid
}

/** Expects that a folder can be locked and released. */
async function expectFree(folder: string): Promise<void> {
  const { storage } = await openFolder(folder)
  expect(JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  await storage.close()
  expect(Object.keys(readFiles(folder))).toEqual(['changes.log'])
}

it('rejects a folder that another process has locked, with its pid and address', async () => {
  const folder = temporaryFolder()
  const { url, pid } = await serve(['--data', folder])
  const by = `the server with pid ${pid} is using it at ${url}`
  await expect(openFolder(folder)).rejects.toMatchObject({
    code: 'conflict',
    message: `Cannot use ${folder}: ${by}. Stop it, or choose another folder with the option data.`,
  })
  expect(await findFolderHolder(folder)).toMatchObject({ pid, url })
})

it('rejects a folder of a running process that does not listen yet, that is in another PID namespace, or whose start time is unknown', async () => {
  const folder = temporaryFolder()
  const { url, pid } = await serve(['--data', folder])
  const path = join(folder, 'lock.json')
  const own = readFileSync(path, 'utf8')
  changeLock(folder, { url: null })
  await expect(openFolder(folder)).rejects.toThrow(`the server with pid ${pid} is using it. Stop it`)
  writeFileSync(path, own)
  changeLock(folder, { started: null })
  await expect(openFolder(folder)).rejects.toThrow(`the server with pid ${pid} is using it at ${url}`)
  const ended = await endedProcess()
  changeLock(folder, { space: 'another container', host: 'c0ffee', pid: ended })
  const by = `a server in another container or on another machine (pid ${ended}, host c0ffee)`
  await expect(openFolder(folder)).rejects.toThrow(`${by} is using it at ${url}.`)
  expect(await findFolderHolder(folder)).toMatchObject({ host: 'c0ffee', url })
})

/** Locks whose holder may be another process than the one with its pid. */
const doubtful = [
  // In another PID namespace.
  { space: 'another container', pid: process.ppid },
  // Its start time is unknown, and its pid is in use.
  { started: null, pid: process.ppid },
  // Of an earlier version.
  { space: undefined, host: undefined, pid: process.ppid },
]

it('locks a folder of a process that cannot be identified, if that does not respond', async () => {
  // All at once, since each waits twice for a response.
  const work = doubtful.map(async (values) => {
    const folder = temporaryFolder()
    await lock(folder, values)
    expect(await findFolderHolder(folder)).toBeUndefined()
    await expectFree(folder)
  })
  await Promise.all(work)
})

it('rejects a folder that this process has already locked, and names the address once it is known', async () => {
  const folder = temporaryFolder()
  const opened = await openFolder(folder)
  await expect(openFolder(folder)).rejects.toThrow(`Cannot use ${folder}: this process is using it.`)
  opened.announce('http://127.0.0.1:4501')
  await expect(openFolder(folder)).rejects.toThrow('this process is using it at http://127.0.0.1:4501.')
  await opened.storage.close()
  expect(await findFolderHolder(folder)).toBeUndefined()
  await expectFree(folder)
})

it('locks a folder whose holder has ended and whose pid is in use again', async ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux tells when a process began')
  const folder = temporaryFolder()
  await lock(folder, { pid: process.ppid, started: 'an earlier boot/1' })
  await expectFree(folder)
  await lock(folder, { pid: process.pid, started: 'an earlier boot/1' })
  await expectFree(folder)
})

it('locks a folder whose holder is a zombie', async ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux tells of such a process')
  const folder = temporaryFolder()
  // A process that never collects the status of its child.
  const script = `const { spawn } = require('node:child_process')
    console.log(spawn('true').pid)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output] = await once(parent.stdout, 'data')
  const pid = Number(output)
  while (!/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) await new Promise(setImmediate)
  await lock(folder, { pid })
  await expectFree(folder)
  parent.kill('SIGKILL')
})

it('locks a copy of a locked folder', async () => {
  const folder = temporaryFolder()
  const { storage } = await openFolder(folder)
  await storage.replace(createDatasetFile())
  const copy = await openFolder(copyAsKilled(folder))
  expect(await copy.storage.load()).toMatchObject({ seeded: { generation: 1 } })
  await copy.storage.close()
  await storage.close()
})

it.each([
  ['empty', ''],
  ['garbled', '{"pid":12'],
  ['of NUL bytes', '\0\0\0\0'],
  ['something else', '[]'],
  ['of an impossible process', '{"pid":-1,"started":null,"folder":"1/1","url":null}'],
])('locks a folder whose lock is %s', async (_, content) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'lock.json'), content)
  await expectFree(folder)
})

it.each([
  ['of a process that has ended', async () => ({ pid: await endedProcess() })],
  ['of a process that does not respond', async () => ({ space: 'another container' })],
])('gives a folder with a lock %s to exactly one of several processes', async (_, values) => {
  const folder = temporaryFolder()
  await lock(folder, await values())
  const wants = await Promise.allSettled(Array.from({ length: 10 }, () => openFolder(folder)))
  const granted = wants.flatMap((want) => (want.status === 'fulfilled' ? [want.value] : []))
  expect(granted).toHaveLength(1)
  await granted[0]?.storage.close()
  await expectFree(folder)
})

it('takes a stale lock from a process that was killed while taking it', async () => {
  const folder = temporaryFolder()
  await lock(folder, { pid: await endedProcess() })
  const path = join(folder, 'lock.json')
  const lost = readFileSync(path, 'utf8')
  const { ino, ctimeNs } = statSync(path, { bigint: true })
  const hash = createHash('sha256').update(`${ino}/${ctimeNs}/${lost}`).digest('hex')
  // The guard of the lock, whose creator has ended.
  writeFileSync(join(folder, `lock.json.${hash.slice(0, 16)}`), lost)
  await expectFree(folder)
})

it('appears with its content or not at all', async () => {
  const folder = temporaryFolder()
  const stop = new Int32Array(new SharedArrayBuffer(4))
  // Reads as often as possible.
  const script = `const { workerData: { path, stop }, parentPort } = require('node:worker_threads')
    const { readFileSync } = require('node:fs')
    const seen = { whole: 0, half: 0 }
    while (Atomics.load(stop, 0) === 0) {
      try {
        seen[readFileSync(path, 'utf8').endsWith('}\\n') ? 'whole' : 'half'] += 1
      } catch {}
    }
    parentPort.postMessage(seen)`
  const worker = new Worker(script, { eval: true, workerData: { path: join(folder, 'lock.json'), stop } })
  await once(worker, 'online')
  for (let round = 0; round < 300; round += 1) await (await openFolder(folder)).storage.close()
  Atomics.store(stop, 0, 1)
  const [seen] = await once(worker, 'message')
  expect(seen).toEqual({ whole: expect.any(Number), half: 0 })
  expect(seen.whole).toBeGreaterThan(0)
})
