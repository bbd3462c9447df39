import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Provenance } from '../../components/provenance.tsx'
import { listTypes, listValues } from '../../components/schema.ts'
import { useRead } from '../../components/use-calls.ts'
import { place, setQuery } from '../../place.ts'
import type { ListOperation, Parameter } from './contract.ts'
import { findCollection, getLabel, summarize } from './labels.ts'

interface FiltersProps {
  readonly operation: ListOperation
  readonly organizationId: string
}

/** A parameter of the operation or its path, or a filter that only the sandbox has. */
type Filter = Pick<Parameter, 'name' | 'schema' | 'description' | 'x-provenance' | 'x-assumption'>

/** Renders the filters in the URL as chips, and a menu to add others. */
export function Filters(props: FiltersProps) {
  const { query } = place.value
  const filters = listFilters(props.operation)
  const set = filters.filter(({ name }) => query.has(name))
  const clear = (): void => setQuery(Object.fromEntries(set.map(({ name }) => [name, undefined])))
  return (
    <>
      {set.map((filter) => (
        <Chip key={filter.name} {...props} filter={filter} />
      ))}
      <AddFilter {...props} filters={filters.filter(({ name }) => !query.has(name))} />
      {set.length > 1 && (
        <button type="button" class="small" onClick={clear}>
          Clear {set.length} filters
        </button>
      )}
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

interface ChipProps extends FiltersProps {
  readonly filter: Filter
}

/** Renders a filter with its values, to change or remove it. */
function Chip({ filter, ...props }: ChipProps) {
  const { name } = filter
  const menu = useId()
  const values = place.value.query.getAll(name)
  const remove = (): void => setQuery({ [name]: undefined, page: undefined })
  return (
    <span class="chip data-chip">
      <button type="button" popovertarget={menu} title={`Change ${name}`}>
        {name}: <Values name={name} values={values} />
      </button>
      <button type="button" aria-label={`Remove ${name}`} onClick={remove}>
        ×
      </button>
      <Menu id={menu} label={name}>
        <Editor {...props} filter={filter} />
      </Menu>
    </span>
  )
}

/** Renders the values of a filter; a record by its name. */
function Values({ name, values }: { readonly name: string; readonly values: readonly string[] }) {
  const collection = findCollection(name)
  const { value } = useRead(collection === undefined ? undefined : prepareRecords(collection))
  const record = value?.items.find(({ id }) => summarize(id) === values[0])
  return <>{record ? `${values[0]} ${getLabel(record)}` : values.join(', ')}</>
}

const prepareRecords = (collection: string) =>
  prepare('get', routes.data[':collection'], { param: { collection }, query: { limit: '250' } })

/** Renders a menu of the filters that are not in use. */
function AddFilter({ filters, ...props }: FiltersProps & { readonly filters: readonly Filter[] }) {
  const menu = useId()
  const [name, setName] = useState<string>()
  const chosen = filters.find((filter) => filter.name === name)
  if (filters.length === 0 && name === undefined) return null
  return (
    <>
      <button type="button" class="small" popovertarget={menu} onClick={() => setName(undefined)}>
        + Add filter
      </button>
      <Menu id={menu} label="Add filter">
        {chosen ? (
          <Editor {...props} filter={chosen} />
        ) : (
          <ul>
            {filters.map((filter) => (
              <li key={filter.name}>
                <button type="button" class="small" onClick={() => setName(filter.name)}>
                  {filter.name}
                </button>
                <span class="hint">{filter.description}</span>
                <Provenance of={filter} subject={filter.name} />
              </li>
            ))}
          </ul>
        )}
      </Menu>
    </>
  )
}

interface MenuProps {
  readonly id: string
  readonly label: string
  readonly children: ComponentChildren
}

/** Renders a popover; its content exists only while it is open. */
function Menu({ id, label, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <dialog
      id={id}
      popover="auto"
      class="data-menu"
      aria-label={label}
      // The popover of an assumption is inside.
      onToggle={(event) => event.target === event.currentTarget && setOpen(event.newState === 'open')}
    >
      {isOpen && children}
    </dialog>
  )
}

/** Edits the values of a filter: one, or several. */
function Editor({ filter, operation: { collection, item }, organizationId }: ChipProps) {
  const { name, schema, description } = filter
  const form = useRef<HTMLFormElement>(null)
  const isSeveral = listTypes(schema).includes('array')
  const values = place.value.query.getAll(name)
  const [chosen, setChosen] = useState<readonly string[]>(values)
  const [text, setText] = useState('')
  const isCounted = isSeveral && item.properties?.[name] !== undefined
  const query = { by: name, organizationId }
  const call = prepare('get', routes.data[':collection'].counts, { param: { collection }, query })
  const counts = useRead(isCounted ? call : undefined).value?.items ?? []
  const target = findCollection(name)
  const records = useRead(target === undefined ? undefined : prepareRecords(target)).value?.items ?? []
  const known = new Map<string, number | undefined>([
    ...counts.flatMap(({ value, count }) => (typeof value === 'string' ? [[value, count] as const] : [])),
    ...listValues(schema).map((value) => [value, undefined] as const),
  ])
  for (const value of values) if (!known.has(value)) known.set(value, undefined)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), [])
  const apply = (event: SubmitEvent): void => {
    event.preventDefault()
    const given = text.trim() === '' ? [] : [text.trim()]
    setQuery({ [name]: isSeveral || given.length === 0 ? [...chosen, ...given] : given, page: undefined })
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  const toggle = (value: string): void => {
    const others = chosen.filter((one) => one !== value)
    setChosen(!isSeveral ? [value] : others.length < chosen.length ? others : [...chosen, value])
  }
  const list = useId()
  return (
    <form ref={form} onSubmit={apply}>
      <fieldset>
        <legend>{name}</legend>
        {Array.from(known, ([value, count]) => (
          <label key={value}>
            <input
              type={isSeveral ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />{' '}
            {value} <span class="hint">{count}</span>
          </label>
        ))}
      </fieldset>
      {schema.enum === undefined && (
        <label class="field">
          {known.size > 0 ? 'Another value' : 'Value'}{' '}
          <input
            value={text}
            list={list}
            spellcheck={false}
            autocomplete="off"
            placeholder={schema.pattern === undefined ? '' : '2026-01-15T12:00Z'}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <datalist id={list}>
            {records.map((record) => (
              <option key={summarize(record.id)} value={summarize(record.id)}>
                {getLabel(record)}
              </option>
            ))}
          </datalist>
        </label>
      )}
      <p class="row">
        <button type="submit" class="primary small">
          Apply
        </button>
        <span class="hint">{description}</span> <Provenance of={filter} subject={name} />
      </p>
    </form>
  )
}
