import { answerOf, respond } from '../../http/respond.ts'
import { type FaultBody, faultAnswer, overlaid } from './answer.ts'
import type { Malfunction } from './behaviour.ts'
import { closed, type Connection, reset, type Waits } from './connection.ts'
import type { HeaderFields } from './headers.ts'
import type { Step } from './rule.ts'

/** What is done to one request. */
export interface Injected {
  /** What `Sandbox-Fault` says; undefined where nothing is wrong and headers are all there is. */
  readonly id: string | undefined
  /** How long it waits first, in real time. Units: milliseconds. */
  readonly delayMs: number
  readonly step: Exclude<Step, 'pass'>
  readonly body: FaultBody | undefined
  /** Whether the service carries the request out before its answer is replaced or broken. */
  readonly isStored: boolean
  readonly headers: HeaderFields
}

/** A request, and how it goes on. */
export interface Exchange {
  readonly request: Pick<Request, 'method' | 'signal'>
  /** Gives the answer of the service. */
  readonly proceed: () => Promise<Response>
  /** Without, a broken connection is an error as that of `fetch`. */
  readonly connection?: Connection | undefined
  /** Where delays and hangs wait. */
  readonly waits: Pick<Waits, 'wait'>
}

/** How long what is written is given to leave before the connection ends. Units: milliseconds. */
const FLUSH_MS = 50

const SAFE = new Set(['GET', 'HEAD'])

/**
 * Does to a request what was decided, and gives its answer.
 * Errors: a TypeError as that of `fetch` for a connection that ends, the signal's reason for a client that gives up;
 * `endsConnection` knows both.
 */
export async function inject(injected: Injected, exchange: Exchange): Promise<Response> {
  const { id = '', delayMs, step, body, isStored, headers } = injected
  if (delayMs > 0) await exchange.waits.wait(delayMs, exchange.request.signal)
  if (step === 'proceed') {
    const marks = injected.id === undefined ? headers : { ...headers, 'sandbox-fault': id }
    return overlaid(await exchange.proceed(), marks)
  }
  const answer = isStored ? await exchange.proceed() : undefined
  if (typeof step === 'number') return faultAnswer(id, { status: step, body, isStored, headers })
  return malfunction[step](id, { ...exchange, answer })
}

/** An exchange whose answer is broken. */
interface Broken extends Exchange {
  /** The service's answer; undefined if the service was not asked yet. */
  readonly answer: Response | undefined
}

const malfunction: Readonly<Record<Malfunction, (id: string, exchange: Broken) => Promise<Response>>> = {
  reset: async (_, { connection }) => {
    connection?.reset()
    throw reset()
  },
  empty: async (_, exchange) => close(exchange),
  hang: async (_, exchange) => {
    await exchange.waits.wait(Infinity, exchange.request.signal)
    return close(exchange)
  },
  truncate: async (id, exchange) => truncated(await spoilt(exchange), id, exchange),
  malformed: async (id, exchange) => {
    const answer = await spoilt(exchange)
    const bytes = await bytesOf(answer)
    const given = answerOf(answer)?.headers ?? Object.fromEntries(answer.headers)
    const headers: HeaderFields = { ...given, 'sandbox-fault': id }
    const contentType = headers['content-type'] ?? 'application/json'
    return respond(bytes.slice(0, -1), contentType, { status: answer.status, headers })
  },
}

function close({ connection }: Exchange): never {
  connection?.close()
  throw closed('fetch failed')
}

/** The answer that is spoiled. A request that changes something does not reach the service for it. */
async function spoilt({ request, proceed, answer }: Broken): Promise<Response> {
  if (answer) return answer
  if (SAFE.has(request.method)) return proceed()
  return respond('{"detail":"In place of the service, which was not asked."}', 'application/json')
}

async function bytesOf(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  return answerOf(answer)?.body.bytes ?? new Uint8Array(await answer.arrayBuffer())
}

/** Half of an answer that announces all of it. */
async function truncated(answer: Response, id: string, { connection }: Exchange): Promise<Response> {
  const bytes = await bytesOf(answer)
  const parts = [bytes.slice(0, bytes.length / 2)].filter((part) => part.length > 0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift()
      if (part) return controller.enqueue(part)
      // A server reads on before it has sent what it read: the connection ends a little later.
      if (connection) timer ??= setTimeout(() => connection.close(), FLUSH_MS)
      else controller.error(closed('terminated'))
    },
    cancel: () => clearTimeout(timer),
  })
  const headers = new Headers(answer.headers)
  headers.set('content-length', String(Math.max(bytes.length, 1)))
  headers.set('sandbox-fault', id)
  return new Response(stream, { status: answer.status, headers })
}
