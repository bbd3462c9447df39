import type { Operation } from '../contract/operation.ts'
import type { Selection } from '../store/selection.ts'
import type { Row, TableName } from '../store/tables.ts'
import { AnswerBody } from './answer-body.ts'
import type { Answer, PageShown } from './respond.ts'
import { type Json, jsonOf, type Serialised } from './serialise.ts'

/** What a handler gives: a record, or those that match. */
export type Result = Row<TableName> | Selection<Row<TableName>>

const [listStart, listEnd, pageStart] = [jsonOf('['), jsonOf(']'), jsonOf('{"items":[')]

/** What a handler found, as JSON in UTF-8; a page says which part of its list it is. */
export function written(
  { returns }: Operation,
  result: Result,
  query: unknown,
  json: (rows: readonly Row<TableName>[]) => Serialised,
): Pick<Answer, 'body'> & { readonly page?: Omit<PageShown, 'list'> } {
  if (!isSelection(result)) {
    const { parts, unshared } = json([result])
    return { body: new AnswerBody(parts.map(withoutComma), unshared) }
  }
  const { total } = result
  const end = jsonOf(`],"totalCount":${total}}`)
  if (returns === 'list') return { body: list(listStart, json(result.page(0, total)), listEnd) }
  if (returns === 'envelope') return { body: list(pageStart, json(result.page(0, total)), end) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = query as { offset: number; limit: number }
  const rows = json(result.page(offset, limit))
  if (returns === 'slice') return { body: list(listStart, rows, listEnd) }
  return { body: list(pageStart, rows, end), page: { offset, limit, total } }
}

const isSelection = (result: Result): result is Selection<Row<TableName>> => 'page' in result

function list(start: Json, { parts, unshared }: Serialised, end: Json): AnswerBody {
  const last = parts.pop()
  if (last) parts.push(withoutComma(last))
  parts.unshift(start)
  parts.push(end)
  return new AnswerBody(parts, unshared)
}

const withoutComma = (json: Json): Json => json.subarray(0, -1)
