// Generated from the schemas by `npm run tables`.

import type { SandboxFields } from '../../sandbox/sandbox-fields.ts'

/** The options of a sandbox in somebody else's server. */
export interface EmbeddedFields extends SandboxFields {
  /** The URL under which others reach the server, as behind a proxy. Default: the address that it listens on. @example 'https://sandbox.example' */
  readonly publicUrl?: string | undefined
  /** The bearer token that the control plane requires. Default: none. @example 'secret' */
  readonly adminToken?: string | undefined
  /** More host names that the control plane answers to. Default: none. @example ['sandbox.test'] */
  readonly allowHost?: readonly string[] | undefined
  /** More origins whose pages may call the control plane. Default: none. @example ['http://localhost:5173'] */
  readonly allowOrigin?: readonly string[] | undefined
  /** The folder that stores the dataset and the changes of the default session. Default: nothing is stored; the command uses `.workspace-sandbox`. @example '.workspace-sandbox' */
  readonly data?: string | undefined
  /** Keeps the data in memory only. Default: false. @example true */
  readonly memory?: boolean | undefined
  /** The time without requests after which a session expires, in minutes. Default: 30. @example 5 */
  readonly sessionTtl?: number | undefined
  /** Rejects requests to the service that name no session. Default: false. @example true */
  readonly requireSession?: boolean | undefined
  /** How many times as fast as the real time the clock runs; requires `now: 'system'`. Default: 1. @example 60 */
  readonly clockRate?: number | undefined
  /** A saved state to start from, or the path of its file; it also gives the options of the dataset that are left out. Default: none. @example 'state.json' */
  readonly state?: string | Readonly<Record<string, unknown>> | undefined
}

/** The options of `startSandbox`. */
export interface StartFields extends EmbeddedFields {
  /** The port to listen on; 0 picks a free one. Default: 4500, or the next free one. @example 0 */
  readonly port?: number | undefined
  /** The name or address to listen on; others than loopback require `adminToken`. Default: every loopback address. @example '0.0.0.0' */
  readonly host?: string | undefined
}

/** The default export of a `workspace-sandbox.config.ts`. */
export interface ConfigFields extends StartFields {
  /** Prints a line for each request to standard error. Default: false. @example true */
  readonly log?: boolean | undefined
  /** Prints one line of JSON once the server listens. Default: false. @example true */
  readonly json?: boolean | undefined
  /** Prints nothing to standard output. Default: false. @example true */
  readonly quiet?: boolean | undefined
}
