import type { ComponentChildren } from 'preact'

import { prepareRecords } from '../../client.ts'
import { Instant } from '../../components/format.tsx'
import { Facts } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import {
  type AnyRecord,
  abbreviate,
  findCollection,
  getLabel,
  isRecord,
  pluralize,
  singularize,
  summarize,
} from './labels.ts'

/** Renders a field's value on one line: references by name, instants short, lists as names, which `isBrief` shortens. */
export function renderValue(field: string, value: unknown, isBrief = false): ComponentChildren {
  if (value === undefined) return null
  if (value === null || value === '') return <span class="hint">{JSON.stringify(value)}</span>
  const collection = findCollection(field)
  if (collection !== undefined) return <RecordLink collection={collection} id={value} />
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return <Instant at={value} part="minute" />
  if (!Array.isArray(value)) return summarize(value)
  if (value.length === 0) return <span class="hint">[ ]</span>
  return isBrief ? abbreviate(value) : summarize(value)
}

const NAMES = 250

function RecordLink({ collection, id }: { collection: string; id: unknown }) {
  const prepareNames = (offset: number) =>
    prepareRecords(collection, { offset: `${offset}`, limit: `${NAMES}` })
  const first = useRead(prepareNames(0)).value
  const isNamed = (record: AnyRecord): boolean => record['id'] === id
  const isFurther = first && first.totalCount > NAMES && !first.items.some(isNamed)
  const second = useRead(isFurther ? prepareNames(NAMES) : undefined).value
  const record = [...(first?.items ?? []), ...(second?.items ?? [])].find(isNamed)
  return (
    <a href={linkTo('data', [collection, String(id)])} title={`${pluralize(collection)} ${String(id)}`}>
      {record ? getLabel(record) : `${singularize(collection)} ${String(id)}`}
    </a>
  )
}

export function Fields({ record }: { record: AnyRecord }) {
  const entries = Object.entries(record)
  const lists = entries.flatMap(([field, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isRecord) ? [{ field, items: value }] : [],
  )
  const simple = entries.filter(([field]) => lists.every((list) => list.field !== field))
  return (
    <>
      <Facts look="is-grid" facts={simple.map(([field, value]) => [field, renderValue(field, value)])} />
      {lists.map(({ field, items }) => (
        <Parts key={field} field={field} items={items} />
      ))}
    </>
  )
}

function Parts({ field, items }: { field: string; items: readonly AnyRecord[] }) {
  const columns = Array.from(new Set(items.flatMap(Object.keys)))
  return (
    <table class="data-parts is-stacked">
      <caption>{field}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={JSON.stringify(item)}>
            {columns.map((column) => (
              <td key={column} data-label={column}>
                {column === 'members' ? <Members value={item[column]} /> : renderValue(column, item[column])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Members({ value }: { value: unknown }) {
  if (!Array.isArray(value)) return renderValue('members', value)
  return value.filter(isRecord).map(({ id }, index) => (
    <>
      {index > 0 && ', '}
      <RecordLink key={String(id)} collection="members" id={id} />
    </>
  ))
}
