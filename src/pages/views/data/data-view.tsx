import { useState } from 'preact/hooks'

import type { Preview } from '../../../lab/explain/schemas.ts'
import { type Call, useRead } from '../../calls.ts'
import { prepare, preparePreview, prepareRecords, routes } from '../../client.ts'
import { type Help, ParamField, SchemaFields, Search } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { type Schema, listTypes, toWords } from '../../components/schema.ts'
import { MemberSelect, Previewed, useCast } from '../../components/service.tsx'
import { Button, Card, Folded, Loaded } from '../../components/ui.tsx'
import { overview } from '../../live.ts'
import { linkTo, param, place, setQuery } from '../../place.ts'
import { AsMember, Reasons } from '../traffic/as-member.tsx'
import { RecordsTable } from './cell.tsx'
import { Changes } from './changes.tsx'
import {
  type ListOperation,
  type RecordProps,
  fillPath,
  isRecord,
  listKnownWords,
  listRecords,
  pluralize,
  singularize,
  useOperations,
} from './collections.ts'
import { RecordForm } from './record-form.tsx'
import { RecordPage } from './record-page.tsx'

/** The most customers of a dataset whose records are all generated without being asked. */
const MOST = 1_000

export function DataView() {
  const { member, error } = useCast()
  const operations = useOperations()
  const { changes = 0, future, size = Infinity } = overview.value ?? {}
  // Counting generates every record, which takes seconds in a large dataset.
  const [isAsked, setAsked] = useState(false)
  const isWhole = isAsked || size <= MOST
  const call = prepare('get', routes.data, { query: { organizationId: member?.organizationId ?? '' } })
  const stored = useRead(isWhole && member ? call : undefined).value?.items ?? []
  const visible = useRead(isWhole ? prepare('get', routes.visibility) : undefined).value?.items ?? []
  const seen = visible.find(({ memberId }) => memberId === member?.id)
  const [name = 'customers', id] = place.value.path
  if (operations.length === 0 || !member) return <Loaded state={{ error }}>{() => null}</Loaded>
  const operation = operations.find(({ collection }) => collection === name)
  const isScoped = operation?.parameters.some((one) => one.name === 'scope') === true
  const isOfAll = operation?.item.properties?.['customerId'] !== undefined && param('customerId') === ''
  const scope = (['mine', 'team'] as const).find((one) => one === param('scope')) ?? 'all'
  /** Counts what the member sees at the scope; of collections without scopes, what is stored. */
  const count = (collection: string): number | undefined => {
    // The changes of time are not counted.
    if (collection === 'changes') return future === 'living' ? undefined : changes
    if (collection === 'customers' || collection === 'signals') return seen?.[collection][scope]
    return stored.find((one) => one.name === collection)?.totalCount
  }
  return (
    <div class="beside">
      <div>
        <div class="fields">
          <MemberSelect label="As seen by" />
          {isScoped && (
            <ParamField name="scope" label="Scope" options={{ '': 'all', team: 'team', mine: 'mine' }} />
          )}
        </div>
        <nav aria-label="Data">
          {[...operations.map(({ collection }) => collection), 'changes'].map((one) => (
            <a key={one} href={linkTo('data', [one])} aria-current={one === name ? 'true' : undefined}>
              {toWords(one)} <span class="hint">{formatNumber(count(one))}</span>
            </a>
          ))}
        </nav>
        {!isWhole && <Button run={() => setAsked(true)}>Count all records</Button>}
      </div>
      <div>
        {name === 'changes' ? (
          <Changes />
        ) : !operation ? (
          <p class="empty">No collection is called {name}. Choose one from the list.</p>
        ) : id === undefined && isOfAll && !isWhole ? (
          <>
            <h1>{toWords(name)}</h1>
            <p class="hint">
              The {pluralize(name)} of {formatNumber(size)} customers are generated when they are read, which
              takes several seconds. <a href={linkTo('data', ['customers'])}>Choose a customer</a> to read
              only theirs.
            </p>
            <Button run={() => setAsked(true)}>Read all {pluralize(name)}</Button>
          </>
        ) : id === undefined ? (
          <Browse key={name} {...{ operation, member }} stored={isScoped ? undefined : count(name)} />
        ) : (
          <RecordPage key={name + id} {...{ operation, operations, member, id }} />
        )}
      </div>
    </div>
  )
}

const ROWS = 100

const EXPLAINED = 5

/** Renders what the service responds to a member, or the stored records if a text is searched or no operation lists them. */
function Browse(props: Pick<RecordProps, 'operation' | 'member'> & { stored: number | undefined }) {
  const { operation, member, stored = 0 } = props
  const { collection, id, pathNames, isPaged } = operation
  const { token, organizationId, organizationName } = member
  const [text, customerId] = [param('text'), param('customerId')]
  const path = buildPath(operation, organizationId)
  const offset = Number(param('page')) * ROWS
  const paging = { offset: `${offset}`, limit: `${ROWS}` }
  const isService = path !== undefined && text === ''
  const page = (isPaged && offset > 0 ? buildPath(operation, organizationId, paging) : path) ?? ''
  const query = { organizationId, ...(customerId && { customerId }), ...(text && { text }), ...paging }
  const call: Call = isService ? preparePreview(page, token) : prepareRecords(collection, query)
  const state = useRead(call)
  const words = pluralize(collection)
  const renderRecords = (body: unknown) => {
    const records = listRecords(body)
    if (!records) return null
    return (
      <>
        {records.length === 0 && (
          <p class="empty">
            {text !== '' || customerId !== '' || page.includes('?')
              ? `No ${words} match. Remove a filter, or widen the scope.`
              : `There are no ${words} yet.`}
          </p>
        )}
        {text !== '' && path !== undefined && records.length > 0 && (
          <Card title="In the response?">
            <Reasons first={EXPLAINED} {...{ records, operation, path, token }} />
          </Card>
        )}
        {records.length > 0 && <RecordsTable {...{ collection, records }} />}
        {isService && !page.includes('?') && records.length < Math.min(stored, ROWS) && (
          <p class="hint">
            The service lists {records.length} of {stored} stored {words}.
          </p>
        )}
        {(isPaged || !isService) && (
          <Pager
            offset={offset}
            count={records.length}
            total={isRecord(body) ? Number(body['totalCount']) : undefined}
          />
        )}
      </>
    )
  }
  return (
    <>
      <div class="row is-apart">
        <h1>{toWords(collection)}</h1>
        <Button run={() => setQuery({ new: 'yes' })}>New {singularize(collection)}</Button>
      </div>
      <div class="row">
        <Search label={`Search ${words}`} />
        <Filters operation={operation} organizationId={organizationId} />
      </div>
      {!isService && (
        <p class="hint">
          {text !== ''
            ? `All ${words} of ${organizationName} that contain “${text}”, as stored, whoever sees them.`
            : pathNames.length > 0
              ? `All of ${organizationName}, as stored: ${id} needs ${pathNames.join(' and ')}. Add filters for its path to see its response.`
              : `As stored, for any member: the service cannot filter ${words} by customerId.`}
        </p>
      )}
      {isService && (
        <Folded title="Compare members">
          {() => <AsMember target={`/v1${path}`} callerId={member.id} operation={operation} />}
        </Folded>
      )}
      <Loaded state={state}>
        {(value) =>
          isPreview(value) ? (
            <Previewed {...{ path: page, token, response: value, collection }}>
              {renderRecords(value.body)}
            </Previewed>
          ) : (
            renderRecords(value)
          )
        }
      </Loaded>
      {param('new') !== '' && (
        <RecordForm operation={operation} member={member} close={() => setQuery({ new: '' })} />
      )}
    </>
  )
}

/** Builds the path of the service's operation; undefined if it cannot list what the URL says. */
function buildPath(
  { path, pathNames, parameters }: ListOperation,
  organizationId: string,
  paging: Readonly<Record<string, string>> = {},
): string | undefined {
  const { query } = place.value
  if (query.has('customerId') && !pathNames.includes('customerId')) return undefined
  const address = fillPath(path, { ...Object.fromEntries(query), organizationId })
  const filters = parameters.flatMap(({ name, schema }) =>
    query.getAll(name).flatMap((text) => splitValues(schema, text).map((value) => [name, value])),
  )
  const sent = [...filters, ...Object.entries(paging)]
  return address && (sent.length > 0 ? `${address}?${new URLSearchParams(sent)}` : address)
}

const isPreview = (value: unknown): value is Preview => isRecord(value) && 'warnings' in value

/** Splits the text of a filter that takes several values, which commas separate. */
const splitValues = (schema: Schema, text: string): readonly string[] =>
  (listTypes(schema).includes('array') ? text.split(/,\s*/) : [text]).filter(Boolean)

/** @param total undefined if the response does not say it */
function Pager({ offset, count, total }: { offset: number; count: number; total: number | undefined }) {
  const last = offset + count
  const turn = (by: number): void => {
    setQuery({ page: String(offset / ROWS + by) })
    document.querySelector('main')?.scrollTo(0, 0)
  }
  if (count === 0 && offset === 0) return null
  return (
    <p class="row">
      <output>
        {formatNumber(offset + 1)} to {formatNumber(last)}
        {total !== undefined && ` of ${formatNumber(total)}`}
      </output>
      <Button disabled={offset === 0} run={() => turn(-1)}>
        Previous page
      </Button>
      <Button disabled={total === undefined ? count < ROWS : last >= total} run={() => turn(1)}>
        Next page
      </Button>
    </p>
  )
}

interface FiltersProps {
  readonly operation: ListOperation
  readonly organizationId: string
}

/** Lists what a list can be filtered by, except the scope, which the whole page has. */
function listFilters({ pathNames, parameters, item }: ListOperation): Readonly<Record<string, Schema>> {
  const ids = [...pathNames, ...(item.properties?.['customerId'] ? ['customerId'] : [])]
  const others = parameters.filter(({ name }) => name !== 'scope')
  return Object.fromEntries([
    ...ids.map((name) => [name, { type: 'integer' }] as const),
    ...others.map(({ name, schema, description = '' }) => [name, { ...schema, description }] as const),
  ])
}

/** Renders the filters in the URL, each with a button that removes it, and folded a field for each that there is. */
function Filters(props: FiltersProps) {
  const { query } = place.value
  return (
    <>
      {Object.keys(listFilters(props.operation))
        .filter((name) => query.has(name))
        .map((name) => (
          <Button key={name} title="Remove this filter" run={() => setQuery({ page: '', [name]: '' })}>
            {name}: {query.getAll(name).join(', ')} ×
          </Button>
        ))}
      <Folded title="Filters" isOpen={param('filter') !== ''}>
        {() => <FilterFields {...props} />}
      </Folded>
    </>
  )
}

function FilterFields({ operation, organizationId }: FiltersProps) {
  const properties = listFilters(operation)
  const names = Object.keys(properties)
  const call = prepareRecords(operation.collection, { organizationId, limit: '250' })
  const records = useRead(call).value?.items ?? []
  const help = names.map((name): readonly [string, Help] => {
    const isSeveral = listTypes(properties[name] ?? {}).includes('array')
    const several = isSeveral && { placeholder: 'several, separated by commas' }
    return [name, { label: name, ...several, proposals: listKnownWords(records, name) }]
  })
  const draft = names.map((name) => [name, place.value.query.getAll(name).join(', ')])
  return (
    <SchemaFields
      schema={{ properties }}
      names={names}
      help={Object.fromEntries(help)}
      draft={Object.fromEntries(draft)}
      set={(to) => setQuery({ page: '', ...to })}
      empty="any"
    />
  )
}
