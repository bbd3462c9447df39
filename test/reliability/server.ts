import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { onTestFinished } from 'vitest'

import { listening } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'

/** What a server is to do with its disk; operations are counted from 1 on. */
export interface Orders {
  /** The operation in which it ends as by `kill -9`. */
  readonly killAt?: number
  /** The operation that fails. */
  readonly failAt?: number
  /** How it fails, as in `EIO`. */
  readonly code?: string
  /** Whether everything that follows fails, too. */
  readonly lasts?: boolean
}

/** Where a server keeps its data, and what becomes of it from its first moment on. */
export interface Disk extends Orders {
  readonly folder: string
  /** A folder that gets what is durable, see `afterPowerLoss`. */
  readonly durable?: string
}

/** Units: bytes. */
export interface Memory {
  /** What is in use after everything else was collected. */
  readonly live: number
  readonly rss: number
}

interface Surroundings {
  readonly disk?: Disk
  /** What the heap may grow to. Units: megabytes. */
  readonly heap?: number
}

/** Begins the built command with something inside that answers to a test; it ends with the test at the latest. */
export function beginProbed(args: readonly string[], { disk, heap }: Surroundings = {}) {
  const limits = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const child = fork(resolve('dist/cli.js'), args, {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], ...(disk && { DISK: JSON.stringify(disk) }) },
    execArgv: [...limits, '--import', new URL('probe.mjs', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the streams of a child are piped')
  return Object.assign(child, { stdout, stderr })
}

/** Starts a server with something inside that answers to a test, and waits until it listens. */
export async function serveProbed(args: readonly string[], surroundings: Surroundings = {}) {
  const folder = surroundings.disk?.folder
  const place = folder === undefined ? ['--memory'] : ['--data', folder]
  const common = ['start', '--port', '0', '--json', '--size', 'small']
  const server = await listening(beginProbed([...common, ...place, ...args], surroundings))
  const ask = async (question: 'memory' | Orders) => {
    server.child.send(question)
    const [answer] = await once(server.child, 'message')
    return answer
  }
  return {
    ...server,
    memory: (): Promise<Memory> => ask('memory'),
    /** Gives orders anew; tells how many operations there were since those before. */
    order: async (orders: Orders): Promise<number> => (await ask(orders)).operations,
  }
}

/** A folder as it is after a power loss, of which `durable` has been told. */
export function afterPowerLoss(durable: string): string {
  const folder = temporaryFolder()
  const list = join(durable, 'names.json')
  if (!existsSync(list)) return folder
  for (const [name, identity] of Object.entries<string>(JSON.parse(readFileSync(list, 'utf8')))) {
    if (existsSync(join(durable, identity))) copyFileSync(join(durable, identity), join(folder, name))
    else writeFileSync(join(folder, name), '')
  }
  return folder
}
