import type { Copies } from '../../lab/sync/verdict.ts'
import { type SandboxFetch, toRequest } from '../connect.ts'
import { type RunOutcome, runInTime } from '../run-client.ts'
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
  client?: Promise<C>
  readonly running: ClientProcess
  readonly killed: Promise<void>
}

export class FunctionClient<C> implements TestedClient {
  readonly #functions: ClientFunctions<C>
  readonly #timeoutMs: number
  readonly #session: SessionHandle
  readonly #player: Player
  #state = new Map<string, unknown>()
  #started: Started<C> | undefined

  constructor(functions: ClientFunctions<C>, timeoutMs: number, session: SessionHandle, player: Player) {
    this.#functions = functions
    this.#timeoutMs = timeoutMs
    this.#session = session
    this.#player = player
  }

  get hasFullRun(): boolean {
    return this.#functions.full !== undefined
  }

  async run(kind: 'incremental' | 'full'): Promise<RunOutcome | 'killed'> {
    const { run, full = run } = this.#functions
    const started = (this.#started ??= this.#start())
    const sync = async (): Promise<void> => {
      const client = await this.#getClient(started)
      await (kind === 'full' ? full : run)(client, started.session)
    }
    const outcome = await runInTime(() => Promise.race([sync(), started.killed]), this.#timeoutMs)
    return started.running.isDead ? 'killed' : outcome
  }

  async copy(): Promise<Copies | undefined> {
    const started = (this.#started ??= this.#start())
    return this.#functions.copy?.(await this.#getClient(started), started.session)
  }

  async close(): Promise<void> {
    if (this.#started) this.#started.running.isDead = true
  }

  #getClient(started: Started<C>): Promise<C> {
    const { client } = this.#functions
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without `client`, C is the session
    started.client ??= Promise.resolve(client ? client(started.session) : (started.session as C))
    return started.client
  }

  #start(): Started<C> {
    let announce: (() => void) | undefined
    const killed = new Promise<void>((resolve) => (announce = resolve))
    const running: ClientProcess = {
      isDead: false,
      kill: () => {
        running.isDead = true
        this.#started = undefined
        // The rest of the client's code must not reach what the next one keeps.
        this.#state = structuredClone(this.#state)
        announce?.()
      },
    }
    const fetch: SandboxFetch = (input, init, connection) => {
      const request = toRequest(input, init)
      const forward = () => this.#session.fetch(request, undefined, connection)
      return this.#player.answer(request, running, forward)
    }
    return { session: createSession(this.#session, { fetch, state: this.#state }), running, killed }
  }
}

function createSession(
  session: SessionHandle,
  overrides: Pick<SweepSession, 'fetch' | 'state'>,
): SweepSession {
  const proxy = new Proxy(session, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in overrides ? overrides : target, name)
      // Its methods need the session itself, which has private fields.
      return typeof value === 'function' && !(name in overrides) ? value.bind(target) : value
    },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the proxy adds the properties
  return proxy as SweepSession
}
