import { SandboxError } from '../contract/errors.ts'
import { splitAtCommas } from '../contract/query.ts'
import { commaText, unknownParametersText } from '../control/journal/warnings.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import { reversed } from '../store/selection.ts'
import type { Creation } from '../store/session-data.ts'
import { type Row, type TableName, tables } from '../store/tables.ts'
import type { KnownAnswers } from './answers.ts'
import { callerBy, refuseOther } from './authenticate.ts'
import { checksOf } from './checks.ts'
import type { Exchange } from './exchange.ts'
import type { Soon } from './flow.ts'
import type { Route } from './match.ts'
import { type Answer, createAnswer, shared, withHeaders } from './respond.ts'
import type { Serialiser } from './serialise.ts'
import { type Result, written } from './written.ts'

/** What is kept from one request for the next, under one contract. */
export interface Kept {
  readonly contract: Contract
  readonly serialise: Serialiser
  /** Undefined where answers are not kept for the next request. */
  readonly answers: KnownAnswers | undefined
}

/** Answers a request to one endpoint, whose caller belongs to the organization. Errors: 400, 404, 413, 415, the handler's. */
export type Answerer = (exchange: Exchange, route: Route, caller: Row<'members'>) => Soon<Answer>

/** The answerer of an endpoint: path, query, record, body, then the handler. Source: assumption A-04. */
export function answererOf(operation: BoundOperation, { contract, serialise, answers }: Kept): Answerer {
  const { endpoint, status } = operation
  const { resource, find } = endpoint
  const { settings } = contract
  const checks = checksOf(operation, contract)
  const known = Object.keys(operation.query.parameters)
  const isReversed = settings.order === 'newest' && tables[resource.table].order === 'by id'
  const ordered = (result: Result): Result => (isReversed && 'page' in result ? reversed(result) : result)
  return (exchange, { parameters }, caller) => {
    const { request, session, data, entry } = exchange
    const path = checks.path(parameters)
    const found = (by: Row<'members'>) => {
      const record = find?.({ path, caller: by, data, settings })
      if (find && !record) throw notFound()
      return record
    }
    const early = settings.refusals === 'record' ? found(caller) : undefined
    const { value: query, unknown } = checks.query(request.url)
    const record = early ?? found(caller)
    let at: string | undefined
    const now = (): string => (at ??= session.clock.now())
    const read = (asked: unknown): Result =>
      rowsOf(endpoint.handle({ path, query: asked, record, body: undefined, caller, data, now, settings }))
    const warn = (result: Result): boolean => {
      if (unknown.length > 0) entry.warn('unknown_parameter', unknownParametersText(unknown, known))
      const split = isEmpty(result) ? splitAtCommas(query) : undefined
      const hasParts = split !== undefined && hasMatches(read(split.query))
      if (hasParts) entry.warn('comma_in_value', commaText(split.lists))
      return unknown.length > 0 || hasParts
    }
    const finish = (result: Result): Answer => {
      const isWarned = warn(result)
      const { body, page } = written(operation, ordered(result), query, (rows) =>
        serialise(operation, rows, data),
      )
      const { origin, target } = entry.address
      const shown = page && { ...page, list: listOf(target) }
      const answer = shared(createAnswer(body, 'application/json', { status, page: shown }), settings)
      const reads = [...data.tables, resource.table, ...resource.embeds]
      if (answers && request.head?.method === 'GET' && !isWarned && !data.hasChanged(reads)) {
        const seen = { answer, recorded: body, endpoint, caller, reads, at, origin, target }
        answers.keep(session.data.dataset, request.head, seen)
      }
      return entry.warnings.length === 0 ? answer : withHeaders(answer, entry.warningHeaders)
    }
    const call = { path, query, data, now, settings }
    if (!checks.body) {
      return finish(read(query))
    }
    /** Checks again what was checked before the body was awaited. */
    const create = (body: unknown): Creation<TableName> => {
      session.refuseDropped()
      const author = callerBy(request.header('authorization'), data)
      refuseOther(parameters['organizationId'], author, settings)
      return creationOf(endpoint.handle({ ...call, body, record: found(author), caller: author }))
    }
    return checks
      .body(request, (bytes) => (exchange.body = bytes))
      .then((body) => data.create(resource.table, () => create(body)))
      .then(finish)
  }
}

const isEmpty = (result: Result): boolean => 'page' in result && result.total === 0

const hasMatches = (result: Result): boolean => 'page' in result && result.total > 0

function notFound(): SandboxError {
  return new SandboxError('not_found', 'The record that the path names does not exist.')
}

type Handled = ReturnType<Endpoint['handle']>

function rowsOf(handled: Handled): Result {
  if ('make' in handled) throw new TypeError('An endpoint without a body cannot create a record.')
  return handled
}

function creationOf(handled: Handled): Creation<TableName> {
  if ('make' in handled) return handled
  throw new TypeError('An endpoint with a body must create a record.')
}

const PAGING = /(?<=[?&])(?:offset|limit)=\d*&?/g

/** The target of a list without what chooses a page of it. */
function listOf(target: string): string {
  return target.replace(PAGING, '').replace(/[?&]$/, '')
}
