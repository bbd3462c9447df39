import type { CastMember } from '../../components/cast.ts'
import { Instant } from '../../components/format.tsx'
import { linkTo } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import { type AnyRecord, findCollection, formatCount, isRecord, getLabel, formatTitle } from './labels.ts'
import { parseList, usePreview } from './service-response.tsx'
import { useRecords } from './use-records.ts'

export interface PartListProps {
  /** A list with two path parameters, the first for the record. */
  readonly list: ListOperation
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Links a list for each value of its second path parameter, as for each trigger of an automation. */
export function PartList(props: PartListProps) {
  const { list, collections, member, record } = props
  const [, other = ''] = list.pathNames
  const collection = findCollection(other, collections)
  const records = useRecords(collection === undefined ? [] : [collection], member.organizationId)
  const own: unknown = record[other.replace(/Id$/, 's')]
  const parts: unknown = collection === undefined ? own : records.get(collection)?.items
  const title = formatTitle(list.collection)
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
  const path = fillPath(list.path, { ...query, organizationId: member.organizationId })
  const { value: response } = usePreview(path, member)
  const found = parseList(response?.body)
  const latest = found?.items[0]?.['createdDate']
  const label = getLabel(part)
  return (
    <li>
      <a href={linkTo('data', [list.collection], new URLSearchParams(query))}>
        {label === query[other] ? `${other} ${label}` : label}
      </a>{' '}
      <span class="hint">
        {found ? formatCount(found.total, list.collection) : response && `failed with ${response.status}`}
        {typeof latest === 'string' && (
          <>
            , latest on <Instant at={latest} part="day" />
          </>
        )}
      </span>
    </li>
  )
}
