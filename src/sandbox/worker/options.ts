import * as z from 'zod'

import type { Input } from '../../core/input.ts'
import { parseOptions } from '../../sessions/dataset-options.ts'
import { servedOptions } from '../sandbox-options.ts'

export const WorkerOptions = z.strictObject(servedOptions)

/** The options of `createWorker`. */
export interface WorkerOptions extends Input<typeof WorkerOptions> {}

/** The options of this isolate's worker, which its object shares; undefined until `createWorker` is called. */
let current: ReturnType<typeof WorkerOptions.parse> | undefined

export function configure(options: WorkerOptions): void {
  current = parseOptions(WorkerOptions, options)
}

export function configured(): ReturnType<typeof WorkerOptions.parse> {
  if (current) return current
  throw new Error('SandboxSession needs options: export default createWorker(options) from the same module.')
}

type Fetcher = Readonly<Record<'fetch', (request: Request) => Promise<Response>>>

/** The bindings of the worker, as `wrangler.jsonc` names them. */
export interface WorkerEnv {
  /** The Durable Objects of class `SandboxSession`. */
  readonly SESSIONS?: { idFromName(name: string): object; get(id: object): Fetcher }
  /** The folder `dist` of the package, for the console and the documentation. */
  readonly ASSETS?: Fetcher
  readonly WORKSPACE_SANDBOX_ADMIN_TOKEN?: string
}

/** The part of a platform that a Durable Object gets. */
export interface ObjectState {
  readonly storage: {
    list(options: { readonly prefix: string }): Promise<Map<string, string>>
    /** Stores all entries or none. */
    put(entries: Readonly<Record<string, string>>): Promise<void>
    delete(keys: readonly string[]): Promise<number>
    deleteAll(): Promise<void>
  }
  /** Lets nothing else happen in the object until the task is done, and drops the object if it fails. */
  blockConcurrencyWhile<R>(task: () => Promise<R>): Promise<R>
}
