import { useState } from 'preact/hooks'

import { prepare, prepareRecords, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import { Search } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { toText, toWords } from '../../components/schema.ts'
import { Outcome, RequestLine } from '../../components/service.tsx'
import { Button, Card, Loading, Problem, Provenance } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, place, setQuery } from '../../place.ts'
import { AsMember } from '../traffic/as-member.tsx'
import type { ListOperation } from './contract.ts'
import { Filters } from './filters.tsx'
import { type AnyRecord, contains, getLabel, pluralize, singularize } from './labels.ts'
import { type List, buildPath, listService, listStored, useList } from './list.ts'
import { RecordForm } from './record-form.tsx'
import { RecordsTable, sortRecords } from './records-table.tsx'

const ROWS = 100

interface BrowseProps {
  readonly operation: ListOperation
  readonly member: CastMember
}

export function Browse({ operation, member }: BrowseProps) {
  const { collection, id, marks, pathNames } = operation
  const { token, organizationName } = member
  const [isAdding, setAdding] = useState(false)
  const [isComparing, setComparing] = useState(false)
  const { query } = place.value
  const words = pluralize(collection)
  const path = buildPath(operation, member)
  const stored = listStored(collection, member.organizationId)
  const text = param('text').toLowerCase()
  const whole = useList(path === undefined ? stored : listService(operation, path, token))
  // Searches all records if the list is too long to load.
  const isPartial = text !== '' && path !== undefined && (whole.items?.length ?? 0) < whole.total
  const found = useList(isPartial ? stored : undefined)
  const list = isPartial ? found : whole
  const items = list.items?.filter((record) => matches(record, pathNames, path === undefined ? '' : text))
  const isJson = param('as') === 'json'
  return (
    <>
      <div class="row view-head">
        <h1>{toWords(collection)}</h1>
        <p class="hint">{describeCount(list, items, query.has('limit') || query.has('offset'))}</p>
        <p>
          <code>{id}</code> <Provenance of={marks} subject={`the response of ${id}`} />
        </p>
        {path !== undefined && (
          <Button pressed={isComparing} run={() => setComparing(!isComparing)}>
            Compare members
          </Button>
        )}
        <Button run={() => setAdding(true)}>New {singularize(collection)}</Button>
      </div>
      <div class="row data-bar">
        <Search label={`Search ${words}`} clears={['page']} />
        <Filters operation={operation} organizationId={member.organizationId} />
        <Button pressed={isJson} run={() => setQuery({ as: isJson ? '' : 'json' })}>
          JSON
        </Button>
        {path !== undefined && whole.response && (
          <RequestLine path={path} token={token} response={whole.response} />
        )}
      </div>
      {path === undefined && (
        <p class="hint">
          {pathNames.length > 0
            ? `All of ${organizationName}, as stored: ${id} needs ${pathNames.join(' and ')}. Add filters for its path to see its response.`
            : `As stored, for any member: the service cannot filter ${words} by customerId.`}
        </p>
      )}
      {isPartial && <p class="hint">Found among all of {organizationName}, regardless of filters.</p>}
      {isComparing && path !== undefined && (
        <AsMember target={`/v1${path}`} callerId={member.id} operation={operation} />
      )}
      <Problem error={list.error} />
      {whole.response && <Outcome response={whole.response} />}
      {isJson && <Json value={list.response?.body ?? list.items} />}
      {!isJson && items && <Rows operation={operation} member={member} items={items} />}
      {!isJson && !items && !list.error && !list.response && <Loading isTable />}
      {isAdding && <RecordForm operation={operation} member={member} close={() => setAdding(false)} />}
    </>
  )
}

const OUTSIDE = 5

/** Lists what a search without matches would find outside of the filters, the scope and the organization. */
function Outside({ operation, member }: BrowseProps) {
  const text = param('text')
  const path = buildPath(operation, member)
  const call = prepareRecords(operation.collection, { text, limit: `${OUTSIDE}` })
  const { items = [], totalCount = 0 } = useRead(text === '' ? undefined : call).value ?? {}
  if (path === undefined || items.length === 0) return null
  return (
    <Card title={`${formatNumber(totalCount)} outside of this list`}>
      <ul class="list">
        {items.map((record) => (
          <Elsewhere key={toText(record.id)} path={path} member={member} record={record} />
        ))}
      </ul>
    </Card>
  )
}

interface ElsewhereProps extends Pick<BrowseProps, 'member'> {
  readonly path: string
  readonly record: AnyRecord
}

/** Renders a record with the reason why a list does not show it, and a link to what would change that. */
function Elsewhere({ path, member: { token }, record }: ElsewhereProps) {
  const reason = useRead(
    prepare('post', routes.explain, { json: { path, token, id: Number(record['id']) } }),
  ).value
  return (
    <li>
      <b>{getLabel(record)}</b> <span class="hint">{reason?.summary}</span>
    </li>
  )
}

function Rows({ operation, member, items }: BrowseProps & { items: readonly AnyRecord[] }) {
  const { collection, pathNames } = operation
  const { query } = place.value
  const sorting = param('sort')
  const first = Number(param('page')) * ROWS
  const last = Math.min(first + ROWS, items.length)
  const turn = (by: number): void => {
    setQuery({ page: String(first / ROWS + by) })
    document.querySelector('main')?.scrollTo(0, 0)
  }
  if (items.length === 0) {
    return (
      <>
        <p class="empty">
          No {pluralize(collection)} match for {member.name}. Remove a filter, widen the scope, or choose
          another member.
        </p>
        <Outside operation={operation} member={member} />
      </>
    )
  }
  return (
    <>
      <RecordsTable
        collection={collection}
        records={sortRecords(items, sorting).slice(first, last)}
        same={[...pathNames, 'customerId'].filter((name) => query.has(name))}
        sorting={sorting}
        caption={`${toWords(collection)} visible to ${member.name}`}
      />
      {items.length > ROWS && (
        <p class="row">
          <output>
            {formatNumber(first + 1)} to {formatNumber(last)} of {formatNumber(items.length)}
          </output>
          <Button disabled={first === 0} run={() => turn(-1)}>
            Previous page
          </Button>
          <Button disabled={last >= items.length} run={() => turn(1)}>
            Next page
          </Button>
        </p>
      )}
    </>
  )
}

function matches(record: AnyRecord, pathNames: readonly string[], text: string): boolean {
  const { query } = place.value
  const isOfPath = pathNames.every(
    (name) => !query.has(name) || !(name in record) || String(record[name]) === query.get(name),
  )
  return isOfPath && contains(record, text)
}

/** Describes how many records are shown, as in `12 of 300`. */
function describeCount(
  { items: loaded = [], total }: List,
  shown: readonly AnyRecord[] | undefined,
  isOnePage: boolean,
): string {
  if (!shown) return ''
  const count = `${shown.length === total ? '' : `${formatNumber(shown.length)} of `}${formatNumber(total)}`
  if (isOnePage || loaded.length >= total) return count
  return `${count}; the first ${formatNumber(loaded.length)} are loaded, to sort and search`
}
