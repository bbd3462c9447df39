import * as z from 'zod'

import { type Example, type Examples, openApiDocument } from '../contract/openapi.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import type { Row, Rows, TableName } from '../store/tables.ts'
import type { Credentials } from './credentials.ts'
import { fieldsOf } from './explain-words.ts'

interface Asked {
  readonly fetch: (request: Request) => Promise<Response>
}

/** The sandbox whose answers are the examples. */
export interface Sample {
  readonly credentials: Credentials
  readonly dataset: { export(): { readonly rows: Rows } }
  session(input: { readonly assumptions: Contract['settings'] }): Asked & { close(): void }
}

/** How many records of a page an example shows. */
const SHOWN = 2

const documents = new WeakMap<Contract, Promise<object>>()

/** The OpenAPI document of a contract with an answer of the sample to each operation; made when first asked for. */
export function exemplifiedDocument(
  contract: Contract,
  version: string,
  sample: () => Promise<Sample>,
): Promise<object> {
  const known = documents.get(contract)
  if (known) return known
  const made = sample().then(async (sandbox) =>
    openApiDocument(contract, version, await examplesOf(contract, sandbox)),
  )
  documents.set(contract, made)
  made.catch(() => documents.delete(contract))
  return made
}

async function examplesOf(contract: Contract, sample: Sample): Promise<Examples> {
  const [organization] = sample.credentials.organizations
  const token = organization?.members[0]?.token ?? ''
  const { rows } = sample.dataset.export()
  const session = sample.session({ assumptions: contract.settings })
  const examples: Record<string, Example> = {}
  try {
    for (const operation of contract.operations) {
      const record = fieldsOf(tellingRow(rows, operation.endpoint.resource.table, organization?.id ?? ''))
      const request = requestOf(operation, contract, record)
      // oxlint-disable-next-line no-await-in-loop -- in the document's order, so that the same is read and written each time
      examples[operation.id] = { ...request, answer: await answerTo(request, token, session) }
    }
  } finally {
    session.close()
  }
  return examples
}

/** A record of a table: one with more to show than others, where there is one. */
function tellingRow(rows: Rows, table: TableName, organizationId: string): Row<TableName> | undefined {
  const all: readonly Row<TableName>[] = rows[table]
  const own = all.filter((row) => row.organizationId === organizationId)
  const parents = new Set(rows.automations.map(({ parentId }) => parentId))
  const active = new Set(rows.noteCategories.flatMap(({ id, isActive }) => (isActive ? id : [])))
  const isTelling = (row: Row<TableName>): boolean => {
    if ('hasTranscript' in row) return row.hasTranscript
    if ('parentId' in row) return parents.has(row.id)
    return 'categoryId' in row && active.has(row.categoryId)
  }
  return own.find(isTelling) ?? own[0]
}

/** A request that leads to a record: the path's ids are those that it has. */
function requestOf(
  { method, path, returns, endpoint }: BoundOperation,
  contract: Contract,
  record: Readonly<Record<string, unknown>>,
): Omit<Example, 'answer'> {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(record[name] ?? record['id']))
  const isPaged = returns === 'page' || returns === 'slice'
  const request = { method, path: isPaged ? `${named}?limit=${SHOWN}` : named }
  const { body } = endpoint
  if (!(body instanceof z.ZodObject)) return request
  const given = Object.keys(body.shape).map((name) => [name, record[name]])
  return { ...request, body: contract.variantOf(body).encode(Object.fromEntries(given)) }
}

async function answerTo(
  { method, path, body }: Omit<Example, 'answer'>,
  token: string,
  { fetch }: Asked,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  const response = await fetch(new Request(`http://sandbox/v1${path}`, init))
  return response.json()
}
