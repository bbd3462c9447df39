import type { CastMember } from '../../parts/cast.ts'
import { Json } from '../../parts/json.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { addressOf } from '../../place.ts'
import { Answered } from './answered.tsx'
import { filledPath, type ListOperation, namesIn } from './contract.ts'
import { Fields } from './fields.tsx'
import { RecordActions } from './record-actions.tsx'
import { Related } from './related.tsx'
import { useService } from './use-service.ts'
import { type AnyRecord, isRecord, labelOf, singular, textOf, titleOf } from './words.ts'

export interface RecordPageProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly id: string
}

/** One record: what a member gets of it, what belongs to it, and ways to change it. */
export function RecordPage(props: RecordPageProps) {
  const { operation, operations, member, id } = props
  const { collection } = operation
  const { value: record, error } = useAnswer<AnyRecord>({
    path: `/_sandbox/data/${collection}/${encodeURIComponent(id)}`,
  })
  const back = (
    <p class="data-back">
      <a href={addressOf('data', [collection])}>{titleOf(collection)}</a>
    </p>
  )
  if (!record) {
    return (
      <>
        {back}
        <h1>
          {titleOf(singular(collection))} {id}
        </h1>
        <Problem error={error} />
      </>
    )
  }
  const label = labelOf(record)
  return (
    <>
      {back}
      <div class="row data-head">
        <h1>{label}</h1>
        <p class="hint">
          {singular(collection)} {id} of {String(record['organizationId'])}
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

/** What the service answers of a record; the record itself where it reads none by itself. */
function Read({ operation, collections, member, record }: ReadProps) {
  const { collection, reader } = operation
  const own = namesIn(reader ?? '').at(-1) ?? ''
  const values = { ...record, [own]: record['id'], organizationId: member.organizationId }
  const path =
    reader && filledPath(reader, Object.fromEntries(Object.entries(values).map(([k, v]) => [k, String(v)])))
  const { value: answer, error } = useService(path, member)
  const source = { collections, organizationId: textOf(record['organizationId']) }
  if (path === undefined) {
    return (
      <section class="card" aria-label="Record">
        <p class="hint">
          The service lists {titleOf(collection).toLowerCase()}, but reads none by itself: this is the record
          as it is kept.
        </p>
        <Fields record={record} source={source} />
      </section>
    )
  }
  return (
    <section class="card data-answer" aria-label="Answer">
      <h2>What {member.name} gets</h2>
      <Problem error={error} />
      {answer && (
        <Answered asked={{ path, token: member.token }} answer={answer}>
          {isRecord(answer.body) && <Fields record={answer.body} source={source} />}
          <details>
            <summary>As JSON</summary>
            <Json value={answer.body} />
          </details>
        </Answered>
      )}
    </section>
  )
}
