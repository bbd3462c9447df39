import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { onTestFinished } from 'vitest'

import { listening } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'

/** Orders for the disk of a server. Operations are counted from 1. */
export interface Orders {
  /** The operation in which the process is killed. */
  readonly killAt?: number
  /** The operation that fails. */
  readonly failAt?: number
  /** The code of the error, as in `EIO`. */
  readonly code?: string
  /** True if all following operations fail, too. */
  readonly lasts?: boolean
}

/** The data folder of a server, and orders that apply from its start. */
export interface Disk extends Orders {
  readonly folder: string
  /** A folder for a copy of the durable content, see `restoreDurable`. */
  readonly durable?: string
}

/** Units: bytes. */
export interface Memory {
  /** Memory in use after garbage collection. */
  readonly live: number
  readonly rss: number
}

interface ProbeOptions {
  readonly disk?: Disk
  /** The limit of the heap. Units: megabytes. */
  readonly heap?: number
}

/** Starts the built command with the probe inside; kills it when the test finishes. */
export function startProbed(args: readonly string[], { disk, heap }: ProbeOptions = {}) {
  const limits = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const child = fork(resolve('dist/cli.js'), args, {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], ...(disk && { DISK: JSON.stringify(disk) }) },
    execArgv: [...limits, '--import', new URL('probe.mjs', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the output of the child process is not piped')
  return Object.assign(child, { stdout, stderr })
}

/** Starts a server with the probe inside, and waits until it listens. */
export async function serveProbed(args: readonly string[], options: ProbeOptions = {}) {
  const folder = options.disk?.folder
  const place = folder === undefined ? ['--memory'] : ['--data', folder]
  const common = ['start', '--port', '0', '--json', '--size', 'small']
  const server = await listening(startProbed([...common, ...place, ...args], options))
  const ask = async (question: 'memory' | Orders) => {
    server.child.send(question)
    const [answer] = await once(server.child, 'message')
    return answer
  }
  return {
    ...server,
    memory: (): Promise<Memory> => ask('memory'),
    /** Replaces the orders; returns the number of operations since the last ones. */
    order: async (orders: Orders): Promise<number> => (await ask(orders)).operations,
  }
}

/** Creates the folder that a power loss would leave, from the copy in `durable`. */
export function restoreDurable(durable: string): string {
  const folder = temporaryFolder()
  const list = join(durable, 'names.json')
  if (!existsSync(list)) return folder
  for (const [name, identity] of Object.entries<string>(JSON.parse(readFileSync(list, 'utf8')))) {
    if (existsSync(join(durable, identity))) copyFileSync(join(durable, identity), join(folder, name))
    else writeFileSync(join(folder, name), '')
  }
  return folder
}
