import type { CastMember } from '../../parts/cast.ts'
import { Instant } from '../../parts/instant.tsx'
import { addressOf } from '../../place.ts'
import { filledPath, type ListOperation } from './contract.ts'
import { useRecords } from './use-records.ts'
import { listOf, useService } from './use-service.ts'
import { type AnyRecord, collectionOf, counted, isRecord, labelOf, titleOf } from './words.ts'

export interface PartListProps {
  /** One whose path names the record first, and then something else. */
  readonly list: ListOperation
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** A list for each of what its path names behind the record: of each brief, of each of an automation's triggers. */
export function PartList(props: PartListProps) {
  const { list, collections, member, record } = props
  const [, other = ''] = list.pathNames
  const collection = collectionOf(other, collections)
  const records = useRecords(collection === undefined ? [] : [collection], member.organizationId)
  const own: unknown = record[other.replace(/Id$/, 's')]
  const parts: unknown = collection === undefined ? own : records.of(collection)?.items
  const title = titleOf(list.collection)
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul class="data-links">
        {(Array.isArray(parts) ? parts.filter(isRecord) : []).map((part) => (
          <Part key={String(part['id'])} {...props} part={part} />
        ))}
      </ul>
    </section>
  )
}

function Part({ list, member, record, part }: PartListProps & { readonly part: AnyRecord }) {
  const [own = '', other = ''] = list.pathNames
  const query = { [own]: String(record['id']), [other]: String(part['id']) }
  const path = filledPath(list.path, { ...query, organizationId: member.organizationId })
  const { value: answer } = useService(path, member)
  const found = listOf(answer?.body)
  const latest = found?.items[0]?.['createdDate']
  const label = labelOf(part)
  return (
    <li>
      <a href={addressOf('data', [list.collection], new URLSearchParams(query))}>
        {label === query[other] ? `${other} ${label}` : label}
      </a>{' '}
      <span class="hint">
        {found ? counted(found.total, list.collection) : answer && `refused with ${answer.status}`}
        {typeof latest === 'string' && (
          <>
            , the latest of <Instant at={latest} part="day" />
          </>
        )}
      </span>
    </li>
  )
}
