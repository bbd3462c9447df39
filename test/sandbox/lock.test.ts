import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { findHolder, takeLock } from '../../src/store/disk/lock.ts'
import { serve } from '../entry-points/command.ts'
import { folderWith, readFiles, temporaryFolder } from '../folders.ts'

/** Writes a lock into a folder: that of this process, with some values changed. */
async function lock(folder: string, values: object): Promise<void> {
  const taken = await takeLock(folder)
  const own = readFileSync(join(folder, 'lock.json'), 'utf8')
  taken.release()
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
  const taken = await takeLock(folder)
  expect(JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  expect(taken.check).not.toThrow()
  taken.release()
  expect(readFiles(folder)).toEqual({})
}

it('rejects a folder of a running process, with its pid and address: one that listens, that does not yet, that is in another PID namespace, or whose start time is unknown', async () => {
  const folder = temporaryFolder()
  const { url, pid } = await serve(['--data', folder])
  const by = `the server with pid ${pid} is using it at ${url}`
  await expect(takeLock(folder)).rejects.toMatchObject({
    code: 'conflict',
    message: `Cannot use ${folder}: ${by}. Stop it, or choose another folder with the option data.`,
  })
  expect(await findHolder(folder)).toMatchObject({ pid, url })
  changeLock(folder, { url: null })
  await expect(takeLock(folder)).rejects.toThrow(`the server with pid ${pid} is using it. Stop it`)
  changeLock(folder, { url, started: null })
  await expect(takeLock(folder)).rejects.toThrow(by)
  const ended = await endedProcess()
  changeLock(folder, { space: 'another container', host: 'c0ffee', pid: ended })
  const elsewhere = `a server in another container or on another machine (pid ${ended}, host c0ffee)`
  await expect(takeLock(folder)).rejects.toThrow(`${elsewhere} is using it at ${url}.`)
  expect(await findHolder(folder)).toMatchObject({ host: 'c0ffee', url })
})

/** Locks whose holder may be another process than the one with its pid. */
const doubtful = [
  // In another PID namespace.
  { space: 'another container', pid: process.ppid },
  // Its start time is unknown, and its pid is in use.
  { started: null, pid: process.ppid },
]

/** Expects that nobody holds a folder. */
const expectNobody = async (folder: string) => expect(await findHolder(folder)).toBeUndefined()

it('locks a folder of a process that cannot be looked up and gives no sign of life', async () => {
  // All at once, since each waits.
  const work = doubtful.flatMap((values) =>
    [expectNobody, expectFree].map(async (expectThis) => {
      const folder = temporaryFolder()
      await lock(folder, values)
      await expectThis(folder)
    }),
  )
  await Promise.all(work)
})

it('rejects a folder that this process has already locked, and names the address once it is known', async () => {
  const folder = temporaryFolder()
  const opened = await takeLock(folder)
  await expect(takeLock(folder)).rejects.toThrow(`Cannot use ${folder}: this process is using it.`)
  opened.announce('http://127.0.0.1:4501')
  await expect(takeLock(folder)).rejects.toThrow('this process is using it at http://127.0.0.1:4501.')
  opened.release()
  expect(await findHolder(folder)).toBeUndefined()
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

it('names the process that takes over a lock that cannot be read', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'lock.json')
  const taken = await takeLock(folder)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, '')
  const second = takeLock(folder)
  // The first look at it finds a change, and the second one the text.
  setTimeout(() => utimesSync(path, 1, 1), 50)
  setTimeout(() => writeFileSync(path, text), 150)
  await expect(second).rejects.toThrow('this process is using it')
  taken.release()
})

/** Contents that are no lock: none, cut off, after a power failure, of another program, impossible, and twice. */
const unreadable = [
  '',
  '{"pid":12',
  '\0\0\0\0',
  '[]',
  '{"pid":-1,"started":null,"folder":"1/1","url":null}',
  '{}\n{}\n',
]

it('locks a folder whose lock cannot be read and gives no sign of life', async () => {
  const work = unreadable.map(async (content) => {
    await expectFree(folderWith({ 'lock.json': content }))
  })
  await Promise.all(work)
})

it('rejects a folder whose lock cannot be read while its process lives', async () => {
  const work = unreadable.map(async (content) => {
    const folder = temporaryFolder()
    const taken = await takeLock(folder)
    writeFileSync(join(folder, 'lock.json'), content)
    await expect(takeLock(folder), `with ${content}`).rejects.toMatchObject({
      code: 'conflict',
      message: `Cannot use ${folder}: a server whose lock.json there cannot be read is using it. Stop it, or choose another folder with the option data.`,
    })
    expect(taken.check).not.toThrow()
    taken.release()
    await expectFree(folder)
  })
  await Promise.all(work)
})

it.each([
  ['of a process that has ended', async () => ({ pid: await endedProcess() })],
  ['of a process that gives no sign of life', async () => ({ space: 'another container' })],
])('gives a folder with a lock %s to exactly one of several processes', async (_, values) => {
  const folder = temporaryFolder()
  await lock(folder, await values())
  const wants = await Promise.allSettled(Array.from({ length: 10 }, () => takeLock(folder)))
  const granted = wants.flatMap((want) => (want.status === 'fulfilled' ? [want.value] : []))
  expect(granted).toHaveLength(1)
  granted[0]?.release()
  await expectFree(folder)
})

it('does not hold a lock that another process has replaced, and leaves that one', async () => {
  const folder = temporaryFolder()
  const taken = await takeLock(folder)
  const path = join(folder, 'lock.json')
  writeFileSync(`${path}.new`, '{}')
  renameSync(`${path}.new`, path)
  expect(taken.check).toThrow('another process has taken over the folder')
  taken.release()
  expect(readFiles(folder)).toEqual({ 'lock.json': '{}' })
})
