import { SandboxError } from '../contract/errors.ts'
import { unknownParametersText } from '../control/journal/warnings.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import type { Row } from '../store/tables.ts'
import type { KnownAnswers } from './answers.ts'
import { checksOf } from './checks.ts'
import type { Exchange } from './exchange.ts'
import { after, type Soon } from './flow.ts'
import type { Route } from './match.ts'
import { type Answer, createAnswer, withHeaders } from './respond.ts'
import type { Serialiser } from './serialise.ts'
import { type Result, written } from './written.ts'

/** What is kept from one request for the next. */
export interface Kept {
  readonly serialise: Serialiser
  readonly answers: KnownAnswers
}

/** Answers a request to one endpoint, whose caller belongs to the organization. Errors: 400, 404, 413, 415, the handler's. */
export type Answerer = (exchange: Exchange, route: Route, caller: Row<'members'>) => Soon<Answer>

/** The answerer of an endpoint: path, query, record, body, then the handler. Source: assumption A-04. */
export function answererOf(endpoint: Endpoint, { serialise, answers }: Kept): Answerer {
  const { resource, find } = endpoint
  const checks = checksOf(endpoint)
  const known = Object.keys(endpoint.query.parameters)
  return (exchange, { parameters }, caller) => {
    const { request, session, data, entry } = exchange
    const path = checks.path(parameters)
    const { value: query, unknown } = checks.query(request.url)
    const record = find?.({ path, caller, data })
    if (find && !record) throw notFound()
    let at: string | undefined
    const now = (): string => (at ??= session.clock.now())
    const finish = (result: Result): Answer => {
      if (unknown.length > 0) entry.warn('unknown_parameter', unknownParametersText(unknown, known))
      const { body, page } = written(endpoint, result, query, (rows) => serialise(resource, rows, data))
      const { origin, target } = entry.address
      const shown = page && { ...page, list: listOf(target) }
      const answer = createAnswer(body, 'application/json', { page: shown })
      const reads = [...data.tables, resource.table, ...resource.embeds]
      if (request.head?.method === 'GET' && unknown.length === 0 && !data.hasChanged(reads)) {
        const found = { answer, endpoint, caller, reads, at, origin, target }
        answers.keep(session.data.dataset, request.head, found)
      }
      return entry.warnings.length === 0 ? answer : withHeaders(answer, entry.warningHeaders)
    }
    const handle = (body: unknown): Soon<Result> =>
      endpoint.handle({ path, query, body, record, caller, data, now })
    if (!checks.body) return after(() => handle(undefined), finish, rethrow)
    return checks
      .body(request, (bytes) => (exchange.body = bytes))
      .then(handle)
      .then(finish)
  }
}

function notFound(): SandboxError {
  return new SandboxError('not_found', 'The record that the path names does not exist.')
}

function rethrow(error: unknown): never {
  throw error
}

const PAGING = /(?<=[?&])(?:offset|limit)=\d*&?/g

/** The target of a list without what chooses a page of it. */
function listOf(target: string): string {
  return target.replace(PAGING, '').replace(/[?&]$/, '')
}
