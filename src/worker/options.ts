import * as z from 'zod'

import { SandboxError } from '../core/errors.ts'
import type { SandboxFields } from '../sandbox/sandbox-fields.ts'
import { SandboxOptions } from '../server/options.ts'
import type { EmbeddedFields } from '../server/start-fields.ts'
import { parseOptions } from '../store/dataset-options.ts'

const Options = SandboxOptions.omit({ data: true, memory: true, allowHost: true, state: true }).extend({
  binding: z.string().min(1, 'must not be empty').optional(),
  assets: z.string().min(1, 'must not be empty').optional(),
})

export interface WorkerOptions
  extends
    SandboxFields,
    Pick<EmbeddedFields, 'adminToken' | 'allowOrigin' | 'clockRate' | 'requireSession' | 'sessionTtl'> {
  /**
   * The binding of the Durable Objects of class `SandboxSession`. Default: the only Durable Object binding.
   * @example 'SESSIONS'
   */
  readonly binding?: string | undefined
  /**
   * The binding of the package's folder `dist` as static assets, from which the console and the documentation are
   * served. Default: `ASSETS`, if there is such a binding.
   * @example 'SANDBOX_FILES'
   */
  readonly assets?: string | undefined
}

/** The options of this isolate's worker, which its objects share; undefined until `createWorker` is called. */
let current: z.output<typeof Options> | undefined

export function configure(options: WorkerOptions): void {
  current = parseOptions(Options, options)
}

export function configured(): z.output<typeof Options> {
  if (current) return current
  throw new Error('SandboxSession needs options: export default createWorker(options) from the same module.')
}

export function findSessions(env: WorkerEnv): ObjectNamespace {
  const { binding } = configured()
  const names = Object.keys(env).filter((name) => isNamespace(env[name]) && name === (binding ?? name))
  const namespace = env[names[0] ?? '']
  if (names.length === 1 && isNamespace(namespace)) return namespace
  const fact =
    names.length > 1
      ? `There are several Durable Object bindings: ${names.join(', ')}. Choose one with the option binding.`
      : `There is no Durable Object binding${binding === undefined ? '' : ` ${binding}`}. Bind the class SandboxSession in wrangler.jsonc.`
  throw new SandboxError('internal_error', fact)
}

/** Recognizes the objects of a class. NOTE: a binding of another service claims to have every property. */
const isNamespace = (value: unknown): value is ObjectNamespace =>
  typeof value === 'object' && value !== null && 'idFromName' in value && !('fetch' in value)

export function findAdminToken(env: WorkerEnv): string | undefined {
  const secret = env['WORKSPACE_SANDBOX_ADMIN_TOKEN']
  return configured().adminToken ?? (typeof secret === 'string' && secret !== '' ? secret : undefined)
}

export async function readAsset(env: WorkerEnv, name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const assets = env[configured().assets ?? 'ASSETS']
  if (!isAssets(assets)) return undefined
  const response = await assets.fetch(new Request(`http://assets/${name}`))
  return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : undefined
}

const isAssets = (value: unknown): value is ReturnType<ObjectNamespace['get']> =>
  typeof value === 'object' && value !== null && 'fetch' in value

export interface ObjectId {
  toString(): string
}

export interface ObjectNamespace {
  idFromName(name: string): ObjectId
  get(id: ObjectId): { fetch(request: Request): Promise<Response> }
}

export type SqlValue = string | number | ArrayBuffer | null

export interface ObjectStorage {
  readonly sql: {
    exec<Row = Record<string, SqlValue>>(query: string, ...values: readonly SqlValue[]): { toArray(): Row[] }
  }
  transactionSync<R>(write: () => R): R
  /** Units: milliseconds since 1970. */
  getAlarm(): Promise<number | null>
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

export interface ObjectState {
  readonly id: ObjectId
  readonly storage: ObjectStorage
}

export type WorkerEnv = Readonly<Record<string, unknown>>
