import type { Copies } from '../../lab/sync/verdict.ts'
import { type SandboxFetch, toRequest } from '../connect.ts'
import { runInTime } from '../run-client.ts'
import type { SessionHandle } from '../session-handle.ts'
import type { TestedClient } from './play.ts'
import type { ClientProcess, Player } from './player.ts'

/** A session of a sweep: its `fetch` brings about the events. */
export interface SweepSession extends SessionHandle {
  /**
   * The state that the client keeps, which alone survives when it is killed. Values are copied as by `structuredClone`.
   * @example const cursor = session.state.get('cursor')
   */
  readonly state: Map<string, unknown>
}

/** A client in this process. */
export interface ClientFunctions<C> {
  /** Starts the client: at the begin of each schedule, and again after each kill. Default: the session itself. */
  readonly client?: ((session: SweepSession) => C | Promise<C>) | undefined
  /** Lets the client sync once. */
  readonly run: (client: C, session: SweepSession) => unknown
  /** Lets the client read everything again; without it, `run` must find every change. */
  readonly full?: ((client: C, session: SweepSession) => unknown) | undefined
  /** Returns the client's copy: rows or ids by collection. */
  readonly copy?: ((client: C, session: SweepSession) => Copies | Promise<Copies>) | undefined
}

interface Started<C> {
  readonly session: SweepSession
  readonly client: Promise<C>
  readonly running: ClientProcess
  readonly killed: Promise<void>
}

/** Creates a client that starts again after each kill, with nothing but its state. */
export function createFunctionClient<C>(
  functions: ClientFunctions<C>,
  timeoutMs: number,
  session: SessionHandle,
  player: Player,
): TestedClient {
  const { client: open, run, full = run, copy } = functions
  let state = new Map<string, unknown>()
  let started: Started<C> | undefined

  const start = (): Started<C> => {
    let announce: (() => void) | undefined
    const killed = new Promise<void>((resolve) => (announce = resolve))
    const running: ClientProcess = {
      isDead: false,
      kill: () => {
        running.isDead = true
        started = undefined
        // The rest of the client's code must not reach what the next one keeps.
        state = structuredClone(state)
        announce?.()
      },
    }
    const fetch: SandboxFetch = (input, init, connection) => {
      const request = toRequest(input, init)
      return player.answer(request, running, () => session.fetch(request, undefined, connection))
    }
    const own = { fetch, state }
    const proxy = new Proxy(session, {
      get: (target, name) => {
        if (name in own) return Reflect.get(own, name)
        const value: unknown = Reflect.get(target, name)
        // Its methods need the session itself, which has private fields.
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the proxy adds the properties
    const swept = proxy as SweepSession
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without `client`, C is the session
    const client = Promise.resolve().then(() => (open ? open(swept) : (swept as C)))
    return { session: swept, client, running, killed }
  }
  return {
    hasFullRun: functions.full !== undefined,
    run: async (kind) => {
      const current = (started ??= start())
      const sync = async (): Promise<void> => {
        await (kind === 'full' ? full : run)(await current.client, current.session)
      }
      const outcome = await runInTime(() => Promise.race([sync(), current.killed]), timeoutMs)
      return current.running.isDead ? 'killed' : outcome
    },
    copy: async () => {
      const current = (started ??= start())
      // Code without types can forget to return it.
      return copy && ((await copy(await current.client, current.session)) ?? {})
    },
    close: async () => {
      if (started) started.running.isDead = true
    },
  }
}
