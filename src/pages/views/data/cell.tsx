import type { ComponentChildren } from 'preact'

import { useRead } from '../../calls.ts'
import { prepareRecords } from '../../client.ts'
import { Instant } from '../../components/format.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Facts } from '../../components/ui.tsx'
import { linkTo, param, place } from '../../place.ts'
import {
  type AnyRecord,
  abbreviate,
  references,
  getLabel,
  isRecord,
  pluralize,
  singularize,
  summarize,
} from './collections.ts'

/** Renders a field's value on one line: references by name, instants short, lists as names, which `isBrief` shortens. */
function renderValue(field: string, value: unknown, isBrief = false): ComponentChildren {
  if (value === undefined) return null
  if (value === null || value === '') return <span class="hint">{JSON.stringify(value)}</span>
  const collection = references.get(field)
  if (collection !== undefined) return <RecordLink collection={collection} id={value} />
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return <Instant at={value} part="minute" />
  if (!Array.isArray(value)) return summarize(value)
  if (value.length === 0) return <span class="hint">[ ]</span>
  return isBrief ? abbreviate(value) : summarize(value)
}

const NAMES = 250

function useNames(collection: string | undefined): ReadonlyMap<unknown, string> {
  const prepareNames = (offset: number) =>
    collection === undefined
      ? undefined
      : prepareRecords(collection, { offset: `${offset}`, limit: `${NAMES}` })
  const first = useRead(prepareNames(0)).value
  const second = useRead(first && first.totalCount > NAMES ? prepareNames(NAMES) : undefined).value
  return new Map(
    [...(first?.items ?? []), ...(second?.items ?? [])].map((record) => [record.id, getLabel(record)]),
  )
}

function RecordLink({ collection, id }: { collection: string; id: unknown }) {
  const name = useNames(collection).get(id)
  return (
    <a href={linkTo('data', [collection, String(id)])} title={`${pluralize(collection)} ${String(id)}`}>
      {name ?? `${singularize(collection)} ${String(id)}`}
    </a>
  )
}

export function Fields({ record }: { record: AnyRecord }) {
  const entries = Object.entries(record)
  const lists = entries.flatMap(([field, value]) =>
    Array.isArray(value) && value.length > 0 && value.every(isRecord) ? [{ field, items: value }] : [],
  )
  const simple = entries
    .filter(([field]) => lists.every((list) => list.field !== field))
    .map(([field, value]) => [field, renderValue(field, value)])
  return (
    <>
      <Facts look="fields" facts={Object.fromEntries(simple)} />
      {lists.map(({ field, items }) => (
        <Table
          key={field}
          caption={field}
          isCaptionShown
          rows={items}
          getKey={(item) => JSON.stringify(item)}
          columns={Array.from(new Set(items.flatMap(Object.keys)), (name, at): Column<AnyRecord> => ({
            label: name,
            isMinor: at > 2,
            look: typeof items[0]?.[name] === 'number' ? 'number' : undefined,
            title: (item) => summarize(item[name]),
            render: (item) => renderValue(name, item[name]),
          }))}
        />
      ))}
    </>
  )
}

const keyColumns: Readonly<Record<string, readonly string[]>> = {
  customers: ['id', 'name', 'segment', 'city', 'country', 'products', 'memberRoles', 'updatedDate'],
  signals: ['id', 'customerId', 'summary', 'type', 'status', 'severity', 'ownerId', 'updatedDate'],
  meetings: ['id', 'customerId', 'topic', 'startDate', 'members', 'contacts', 'nextSteps'],
}

const longFields = 'name summary topic content message description nextSteps options'.split(' ')

/** Renders records as a table without the ids that the URL filters by; the whole row opens the record. */
export function RecordsTable({ collection, records }: { collection: string; records: readonly AnyRecord[] }) {
  const first = records[0] ?? {}
  const names =
    keyColumns[collection]?.filter((field) => field in first) ??
    Object.keys(first).filter((field) => field !== 'organizationId')
  const shown = names.filter((name) => !name.endsWith('Id') || param(name) === '')
  const main = shown.find((name) => longFields.includes(name)) ?? shown[1]
  return (
    <Table
      caption={pluralize(collection)}
      rows={records}
      getKey={(record) => String(record['id'])}
      columns={shown.map((name): Column<AnyRecord> => ({
        label: name,
        look: findLook(name, records),
        isMinor: name !== main && !['id', 'status', 'segment', 'lastName'].includes(name),
        title: (record) => summarize(record[name] ?? ''),
        render: (record) =>
          name === 'id' ? renderId(collection, record) : renderValue(name, record[name], true),
      }))}
    />
  )
}

function findLook(name: string, records: readonly AnyRecord[]): Column<AnyRecord>['look'] {
  if (name === 'id') return 'id'
  if (name.endsWith('Date')) return 'date'
  if (longFields.includes(name)) return 'long'
  const value = records.map((record) => record[name]).find((one) => one !== null && one !== undefined)
  return typeof value === 'number' && !name.endsWith('Id') ? 'number' : undefined
}

function renderId(collection: string, record: AnyRecord) {
  const id = String(record['id'])
  const label = getLabel(record)
  return (
    <a
      class="opens-row"
      href={linkTo('data', [collection, id], place.value.query)}
      aria-label={`${id}${label === id ? '' : ` ${label}`}, ${singularize(collection)}`}
    >
      {id}
    </a>
  )
}
