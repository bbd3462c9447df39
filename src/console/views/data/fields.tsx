import { Cell, RecordLink } from './cell.tsx'
import { type AnyRecord, isRecord, withKeys } from './labels.ts'
import { type Naming, type Source, useNaming } from './use-records.ts'

export interface FieldsProps {
  readonly record: AnyRecord
  readonly source: Source
}

/** Renders the fields of a record: simple ones as a list, lists of objects as tables. */
export function Fields({ record, source }: FieldsProps) {
  const parts = Object.values(record).flat().filter(isRecord)
  const naming = useNaming([record, ...parts].flatMap(Object.keys), source)
  const entries = Object.entries(record)
  const lists = entries.flatMap(([field, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isRecord) ? [{ field, items: value }] : [],
  )
  const simple = entries.filter(([field]) => lists.every((list) => list.field !== field))
  return (
    <>
      <dl class="data-fields">
        {simple.map(([field, value]) => (
          <div key={field} class={isLong(value) ? 'data-long' : undefined}>
            <dt>{field}</dt>
            <dd>
              <Cell field={field} value={value} naming={naming} isWhole />
            </dd>
          </div>
        ))}
      </dl>
      <div class="data-lists">
        {lists.map(({ field, items }) => (
          <List key={field} field={field} items={items} naming={naming} />
        ))}
      </div>
    </>
  )
}

const isLong = (value: unknown): boolean =>
  (typeof value === 'string' && value.length > 60) || (Array.isArray(value) && value.length > 1)

/** Tables with more columns take the full width. */
const WIDE = 4

interface ListProps {
  readonly field: string
  readonly items: readonly AnyRecord[]
  readonly naming: Naming
}

function List({ field, items, naming }: ListProps) {
  const columns = Array.from(new Set(items.flatMap(Object.keys)))
  const isWide = columns.length > WIDE || items.some((item) => Object.values(item).some(isLong))
  const isLinked = (column: string): boolean => column === 'id' && naming.collections.includes(field)
  return (
    <table class={isWide ? 'data-table data-wide' : 'data-table'}>
      <caption>{field}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              <code>{column}</code>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {withKeys(items).map(({ place, value: item }) => (
          <tr key={place}>
            {columns.map((column) => (
              <td key={column} data-label={column}>
                {isLinked(column) ? (
                  <RecordLink collection={field} id={item[column]} name={undefined} />
                ) : (
                  <Cell field={column} value={item[column]} naming={naming} isWhole />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
