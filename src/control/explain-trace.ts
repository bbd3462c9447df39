import { SandboxError } from '../contract/errors.ts'
import { answererOf, type Kept } from '../http/endpoint-answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { problemAnswer } from '../http/problem.ts'
import { respondTo } from '../http/service.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import type { Call, Endpoint } from '../resources/endpoint.ts'
import { type Lookup, type Query, Recording } from '../store/recording.ts'
import type { Row, TableName } from '../store/tables.ts'
import { type Asked, exchangeOf, requestText, warningTexts } from './explain-request.ts'
import type { Session } from './sessions/session.ts'

/** What was seen of a request on its way through the service; what it did not reach is undefined, or empty. */
export interface Trace {
  readonly contract: Contract
  readonly data: Recording
  /** The request's method and path, from `/v1` on. */
  readonly request: string
  readonly status: number
  readonly error: SandboxError | undefined
  readonly caller: Row<'members'> | undefined
  /** Says whether the request would write. */
  readonly isWrite: boolean
  /** The endpoint, and the path's parameters as they were sent. */
  readonly route: Exchange['route']
  /** The records that the path names, and that were looked for. */
  readonly lookups: readonly Lookup[]
  /** What the handler was called with. */
  readonly call: Call | undefined
  /** How the answer's records were chosen; undefined where the path names the one. */
  readonly query: Query | undefined
  /** The answer's records before pagination. Order: the answer's. */
  readonly rows: readonly Row<TableName>[]
  readonly warnings: readonly string[]
}

/** Takes a request through the service up to its body: nothing is written, entered into the journal or faulted. */
export async function traced(session: Session, asked: Asked): Promise<Trace> {
  const { contract } = session
  const exchange = exchangeOf(session, asked, new Recording(session.data))
  const { data, route } = exchange
  const seen = new Seen(data)
  const { status, error } = await outcome(exchange, seen)
  return {
    contract,
    data,
    request: requestText(exchange),
    status,
    error,
    caller: exchange.caller,
    isWrite: route !== undefined && route.endpoint.method !== 'GET',
    route,
    lookups: seen.lookups,
    call: seen.call,
    query: seen.query,
    rows: seen.rows,
    warnings: warningTexts(exchange),
  }
}

async function outcome(
  exchange: Exchange,
  seen: Seen,
): Promise<{ readonly status: number; readonly error: SandboxError | undefined }> {
  const { contract } = exchange.session
  try {
    const { status } = await respondTo(exchange, () => bound(contract, seen))
    return { status, error: undefined }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return { status: problemAnswer(error, contract.settings).status, error }
  }
}

/** The service's own answerers, watched. */
function bound(contract: Contract, seen: Seen): ReturnType<Parameters<typeof respondTo>[1]> {
  const kept: Kept = {
    contract,
    answers: undefined,
    serialise: (_, rows) => {
      seen.rows = rows
      return { parts: [], unshared: 0 }
    },
  }
  return { ...kept, answererOf: (endpoint) => answererOf(seen.watched(contract.of(endpoint)), kept) }
}

/** Watches one operation. */
class Seen {
  readonly #data: Recording
  lookups: readonly Lookup[] = []
  call: Call | undefined
  query: Query | undefined
  rows: readonly Row<TableName>[] = []

  constructor(data: Recording) {
    this.#data = data
  }

  /** The operation without its body and its pages: it answers every record that matches, and writes none. */
  watched(operation: BoundOperation): BoundOperation {
    const { endpoint, returns } = operation
    const isPaged = returns === 'page' || returns === 'slice'
    return {
      ...operation,
      body: undefined,
      returns: isPaged ? 'envelope' : returns,
      endpoint: { ...endpoint, find: this.#find(endpoint), handle: this.#handle(endpoint) },
    }
  }

  #find({ find }: Endpoint): Endpoint['find'] {
    return (
      find &&
      ((address) => {
        this.#data.forget()
        try {
          return find(address)
        } finally {
          this.lookups = [...this.#data.lookups]
        }
      })
    )
  }

  #handle({ method, handle }: Endpoint): Endpoint['handle'] {
    return (call) => {
      this.call = call
      // Whoever writes is let go before: any row will do, for nothing is made of it.
      if (method !== 'GET') return call.caller
      const result = handle(call)
      this.query = this.#data.queryOf(result)
      return result
    }
  }
}
