import { SandboxError } from '../contract/errors.ts'
import { nearest } from '../contract/nearest.ts'
import { endsConnection, type Waits } from '../control/faults/connection.ts'
import { throughFaults } from '../control/faults/step.ts'
import type { Host } from '../control/host.ts'
import type { Entry } from '../control/journal/entry.ts'
import type { Session } from '../control/sessions/session.ts'
import type { Contract } from '../resources/contract.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { endpoints } from '../resources/index.ts'
import { Reading } from '../store/reading.ts'
import { AnswerBody } from './answer-body.ts'
import { KnownAnswers } from './answers.ts'
import { callerBy, memberBy, refuseOther } from './authenticate.ts'
import { type Answerer, answererOf, type Kept } from './endpoint-answer.ts'
import type { Exchange, Origin } from './exchange.ts'
import { after, type Soon } from './flow.ts'
import { plainRequest, sessionIn } from './head.ts'
import { preflightResponse } from './headers.ts'
import { methodsAt, routeAt } from './match.ts'
import { problemAnswer } from './problem.ts'
import { recalled } from './recall.ts'
import type { Head, ServiceRequest } from './request.ts'
import { type Answer, sharedResponse } from './respond.ts'
import { createSerialiser, serialiseAnew } from './serialise.ts'
import { sessionOf } from './session-of.ts'

/** The 22 operations as functions from a request to its answer. */
export interface Service {
  /** Answers a request; what breaks its connection is an error that `endsConnection` knows. */
  answer(request: ServiceRequest, origin: Origin): Soon<Answer | Response>
  /**
   * Answers a plain request, without a detour where the answer is known; undefined for what `answer` has to answer.
   * @param bytes reads the body
   */
  answerPlain(head: Head, bytes: () => Promise<Uint8Array>): Soon<Answer> | undefined
}

/**
 * The pipeline, one line per step. Everything is bound once; dataset, session and clock are looked up at each call.
 * Order: session, fault, caller, path, query, record, body, handler. Source: assumption A-04.
 */
export function createService(host: Host): Service {
  const bound = boundTo(host.contract)
  const respond = answering(bound)
  return {
    answer(request, { session: chosen, connection }) {
      if (isPreflight(request) && letsPagesCall(host, request, chosen)) {
        return preflightResponse('GET, HEAD, POST')
      }
      let session: Session
      try {
        session = chosen ?? sessionOf(host, request)
      } catch (error) {
        return problemAnswer(error, host.defaultSession.contract.settings)
      }
      return entered(host, session, request, (exchange) =>
        attempt(session, () => {
          const { entry } = exchange
          const surroundings = { session, connection, entry, waits: announced(host.waits, session, entry) }
          return after(
            () => throughFaults(request, exchange.route?.endpoint, surroundings, () => respond(exchange)),
            (answer) => sharedResponse(answer, session.contract.settings),
            rethrow,
          )
        }),
      )
    },
    answerPlain(head, bytes) {
      const session = plainSession(host, head)
      if (!session) return undefined
      const { answers } = bound(session.contract)
      const known = answers && recalled(host, answers, session, head)
      return known ?? entered(host, session, plainRequest(head, bytes), respond)
    },
  }
}

/** What answers requests under one contract. */
interface Bound extends Kept {
  /** What answers an endpoint; made when first asked for, since its schemas take time. */
  readonly answererOf: (endpoint: Endpoint) => Answerer
}

/**
 * Finds what answers requests under a contract; made when first asked for.
 * @param shared the one contract whose answers and records are kept for the next request: those of sessions with
 * settings of their own would be as many copies of the dataset
 */
function boundTo(shared?: Contract): (contract: Contract) => Bound {
  const made = new WeakMap<Contract, Bound>()
  return (contract) => {
    const known = made.get(contract)
    if (known) return known
    const isShared = contract === shared
    const kept: Kept = {
      contract,
      answers: isShared ? new KnownAnswers() : undefined,
      serialise: isShared ? createSerialiser() : serialiseAnew,
    }
    const answerers = new Map<Endpoint, Answerer>()
    const bound: Bound = {
      ...kept,
      answererOf: (endpoint) => {
        const answerer = answerers.get(endpoint) ?? answererOf(contract.of(endpoint), kept)
        answerers.set(endpoint, answerer)
        return answerer
      },
    }
    made.set(contract, bound)
    return bound
  }
}

/** The session of a plain request; undefined where it has to be told why there is none, or where a fault may act. */
function plainSession(host: Host, { base, session: named }: Head): Session | undefined {
  try {
    const session = sessionOf(host, { base: sessionIn(base), header: () => named })
    return session.knownFaults?.isEmpty === false ? undefined : session
  } catch {
    return undefined
  }
}

/** Enters a request into its session's journal, and its answer once it is there; no body is copied for it. */
function entered<A extends Answer | Response>(
  host: Host,
  session: Session,
  request: ServiceRequest,
  respond: (exchange: Exchange) => Soon<A>,
): Soon<A> {
  const release = host.sessions.hold(session)
  const { requests } = session
  const { method, path, url, headers } = request
  const route = routeAt(method, path)
  const credential = request.header('authorization')
  const entry = requests.open({ method, url, headers, credential }, route?.endpoint)
  const data = new Reading(session.data)
  const exchange: Exchange = { request, session, data, route, entry, caller: undefined, body: undefined }
  const close = (answer: A | undefined): void => {
    const body = answer?.body
    requests.complete(entry, {
      // A fault may answer before the service reads the token.
      caller: exchange.caller ?? memberBy(request.header('authorization'), session.data),
      status: answer?.status ?? 'aborted',
      answer: answer && { headers: answer.headers, page: 'page' in answer ? answer.page : undefined },
      requestBody: exchange.body,
      responseBody: body instanceof AnswerBody && method !== 'HEAD' ? body : undefined,
    })
    release()
  }
  return after(
    () => respond(exchange),
    (answer) => {
      close(answer)
      return answer
    },
    (error) => {
      close(undefined)
      throw error
    },
  )
}

/** Lets requests wait, and tells the journal's readers that one does. */
function announced(waits: Waits, { requests }: Session, entry: Entry): Pick<Waits, 'wait'> {
  return {
    wait: (delayMs, signal) => {
      requests.delay(entry)
      return waits.wait(delayMs, signal)
    },
  }
}

/** Gives an answer to what goes wrong. */
function attempt<A extends Answer | Response>({ contract }: Session, work: () => Soon<A>): Soon<A | Answer> {
  return after<A, A | Answer>(
    work,
    (answer) => answer,
    (error) => {
      if (endsConnection(error)) throw error
      return problemAnswer(error, contract.settings)
    },
  )
}

/** Answers exchanges, after session and fault; keeps nothing for the next one unless told how. A refusal is an answer too. */
export function answering(bound = boundTo()): (exchange: Exchange) => Soon<Answer> {
  return (exchange) => attempt(exchange.session, () => respondTo(exchange, bound))
}

/** The steps from a request to its answer, after session and fault. Errors: as the answer says. */
export function respondTo(exchange: Exchange, bound: (contract: Contract) => Bound): Soon<Answer> {
  const { request, data, route, session } = exchange
  const { contract } = session
  const caller = callerBy(request.header('authorization'), data)
  exchange.caller = caller
  if (!route) throw unanswered(request)
  refuseOther(route.parameters['organizationId'], caller, contract.settings)
  return bound(contract).answererOf(route.endpoint)(exchange, route, caller)
}

function isPreflight({ method, header }: ServiceRequest): boolean {
  return method === 'OPTIONS' && header('access-control-request-method') !== undefined
}

/** Reports whether pages of other origins may call a session; a preflight cannot name it by its header. */
function letsPagesCall(host: Host, request: ServiceRequest, chosen: Session | undefined): boolean {
  try {
    return (chosen ?? sessionOf(host, request)).contract.settings.cors === 'any'
  } catch {
    return host.defaultSession.contract.settings.cors === 'any'
  }
}

function rethrow(error: unknown): never {
  throw error
}

/** The refusal of a method or path that no endpoint has. */
function unanswered({ method, path }: ServiceRequest): SandboxError {
  const methods = methodsAt(path)
  if (methods.length === 0) return unknownPath(method, path)
  const allow = methods.join(', ')
  const detail = `${method} is not allowed here; allowed: ${allow}.`
  return new SandboxError('method_not_allowed', detail, { headers: { allow } })
}

/** The error for a path that nothing answers, with the nearest endpoint; the same for HEAD as for GET. */
export function unknownPath(method: string, path: string): SandboxError {
  const known = endpoints.map((endpoint) => `${endpoint.method} /v1${endpoint.path}`)
  const near = nearest(`${method === 'HEAD' ? 'GET' : method} ${path}`, known)
  const hint =
    near === undefined ? 'GET /openapi.json lists every endpoint.' : `The nearest endpoint is ${near}.`
  return new SandboxError('not_found', `There is no endpoint at this path. ${hint}`)
}
