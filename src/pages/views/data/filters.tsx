import { useEffect, useState } from 'preact/hooks'

import { prepare, prepareRecords, routes } from '../../client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Input, Select, toOptions } from '../../components/form.tsx'
import { type Parameter, listTypes, listValues } from '../../components/schema.ts'
import { Button, Provenance } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { param, place, setQuery } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { findCollection, getLabel, summarize } from './labels.ts'

type Filter = Pick<Parameter, 'name' | 'schema' | 'description' | 'x-provenance' | 'x-assumption'>

interface FiltersProps {
  readonly operation: ListOperation
  readonly organizationId: string
}

export function Filters({ operation, organizationId }: FiltersProps) {
  const { query } = place.value
  const filters = listFilters(operation)
  return (
    <>
      {filters.flatMap(({ name }) =>
        query.getAll(name).map((value) => <Chip key={name + value} name={name} value={value} />),
      )}
      <AddFilter operation={operation} filters={filters} organizationId={organizationId} />
    </>
  )
}

/** Lists the filters of an operation, except the scope, which has a control of its own. Order: paging last. */
function listFilters({ parameters, pathNames, item }: ListOperation): readonly Filter[] {
  const schema = { type: 'integer' }
  const ofPath = pathNames.map((name) => ({ name, schema, description: 'In the path of the operation' }))
  const hasCustomer = item.properties?.['customerId'] !== undefined && !pathNames.includes('customerId')
  const description = 'Only in the sandbox: the service has no such filter'
  const isPaging = ({ name }: Filter): boolean => name === 'offset' || name === 'limit'
  const own = parameters.filter(({ name }) => name !== 'scope')
  return [
    ...ofPath,
    ...own.filter((one) => !isPaging(one)),
    ...(hasCustomer ? [{ name: 'customerId', schema, description }] : []),
    ...own.filter(isPaging),
  ]
}

function Chip({ name, value }: { name: string; value: string }) {
  const label = useRecordNames(name).get(value)
  const others = place.value.query.getAll(name).filter((one) => one !== value)
  return (
    <span class="chip good">
      <span title={value}>
        {name}: {value} {label}
      </span>
      <button
        type="button"
        aria-label={`Remove ${name}: ${value}`}
        onClick={() => setQuery({ [name]: others, page: '' })}
      >
        ×
      </button>
    </span>
  )
}

/** Reads the names of the records that a field refers to, by their ids; empty if it refers to none. */
function useRecordNames(field: string): ReadonlyMap<string, string> {
  const collection = findCollection(field)
  const { value } = useRead(
    collection === undefined ? undefined : prepareRecords(collection, { limit: '250' }),
  )
  return new Map(value?.items.map((record) => [summarize(record.id), getLabel(record)]))
}

function AddFilter({ filters, ...props }: FiltersProps & { filters: readonly Filter[] }) {
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [value, setValue] = useState('')
  const wanted = param('filter')
  useEffect(() => {
    if (wanted === '') return
    setName(wanted)
    setQuery({ filter: undefined })
    setOpen(true)
  }, [wanted])
  const filter = filters.find((one) => one.name === name) ?? filters[0]
  if (!filter) return null
  const add = (): void => {
    const isSeveral = listTypes(filter.schema).includes('array')
    const others = isSeveral ? place.peek().query.getAll(filter.name) : []
    setQuery({ [filter.name]: [...new Set([...others, value])], page: '' })
    setValue('')
    setOpen(false)
  }
  return (
    <>
      <Button run={() => setOpen(true)}>+ Add filter</Button>
      {isOpen && (
        <Dialog title="Add filter" onClose={() => setOpen(false)} onSubmit={add} verb="Apply">
          <div class="row">
            <Select
              label="Filter by"
              value={filter.name}
              set={setName}
              options={toOptions(filters.map((one) => one.name))}
            />
            <Value {...props} filter={filter} value={value} set={setValue} />
          </div>
          <p class="hint">
            {filter.description} <Provenance of={filter} subject={filter.name} />
          </p>
        </Dialog>
      )}
    </>
  )
}

interface ValueProps extends FiltersProps {
  readonly filter: Filter
  readonly value: string
  readonly set: (value: string) => void
}

function Value({
  filter: { name, schema },
  operation: { collection, item },
  organizationId,
  ...field
}: ValueProps) {
  const query = { by: name, organizationId }
  const isCounted = item.properties?.[name] !== undefined
  const counts = prepare('get', routes.data[':collection'].counts, { param: { collection }, query })
  const counted = useRead(isCounted ? counts : undefined).value?.items ?? []
  const proposals = new Map([
    ...listValues(schema).map((value) => [value, ''] as const),
    ...counted.map(({ value, count }) => [summarize(value), `${count}`] as const),
    ...useRecordNames(name),
  ])
  const placeholder = schema.pattern === undefined ? '' : '2026-01-15T12:00Z'
  return <Input label="Value" name={name} {...field} proposals={proposals} placeholder={placeholder} />
}
