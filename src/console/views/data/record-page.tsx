import { prepare, routes, castResponse } from '../../client.ts'
import type { CastMember } from '../../components/cast.ts'
import { Json } from '../../components/json.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import { type ListOperation, fillPath, listPathNames } from './contract.ts'
import { Fields } from './fields.tsx'
import { type AnyRecord, isRecord, getLabel, singularize, pluralize, toText, formatTitle } from './labels.ts'
import { RecordActions } from './record-actions.tsx'
import { Related } from './related.tsx'
import { ServiceResponse, usePreview } from './service-response.tsx'

export interface RecordPageProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly id: string
}

/** Renders a record as a member sees it, with related records and actions. */
export function RecordPage(props: RecordPageProps) {
  const { operation, operations, member, id } = props
  const { collection } = operation
  const { value: record, error } = useRead(
    castResponse<AnyRecord>(
      prepare('get', routes.data[':collection'][':id'], { param: { collection, id }, query: {} }),
    ),
  )
  const back = (
    <p class="data-back">
      <a href={linkTo('data', [collection])}>{formatTitle(collection)}</a>
    </p>
  )
  if (!record) {
    return (
      <>
        {back}
        <h1>
          {formatTitle(singularize(collection))} {id}
        </h1>
        <Problem error={error} />
      </>
    )
  }
  const label = getLabel(record)
  return (
    <>
      {back}
      <div class="row data-head">
        <h1>{label}</h1>
        <p class="hint">
          {singularize(collection)} {id} of {String(record['organizationId'])}
        </p>
        <RecordActions operation={operation} operations={operations} record={record} member={member} />
      </div>
      <Read {...props} record={record} />
      <Related {...props} record={record} />
    </>
  )
}

interface ReadProps extends RecordPageProps {
  readonly record: AnyRecord
}

/** Renders the service's response for a record, or the stored record if no operation reads it. */
function Read({ operation, collections, member, record }: ReadProps) {
  const { collection, reader } = operation
  const own = listPathNames(reader ?? '').at(-1) ?? ''
  const values = { ...record, [own]: record['id'], organizationId: member.organizationId }
  const path =
    reader && fillPath(reader, Object.fromEntries(Object.entries(values).map(([k, v]) => [k, String(v)])))
  const { value: response, error } = usePreview(path, member)
  const source = { collections, organizationId: toText(record['organizationId']) }
  if (path === undefined) {
    return (
      <section class="card" aria-label="Record">
        <p class="hint">
          The service lists {pluralize(collection)}, but has no operation that reads a single record. This is
          the stored record.
        </p>
        <Fields record={record} source={source} />
      </section>
    )
  }
  return (
    <section class="card data-response" aria-label="Response">
      <h2>As seen by {member.name}</h2>
      <Problem error={error} />
      {response && (
        <ServiceResponse request={{ path, token: member.token }} response={response}>
          {isRecord(response.body) && <Fields record={response.body} source={source} />}
          <details>
            <summary>As JSON</summary>
            <Json value={response.body} />
          </details>
        </ServiceResponse>
      )}
    </section>
  )
}
