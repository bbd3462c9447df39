import { useId, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Provenance } from '../../components/provenance.tsx'
import { listTypes } from '../../components/schema.ts'
import { place, setQuery } from '../../place.ts'
import type { ListOperation, Parameter } from './contract.ts'
import { type Control, DraftInput } from './draft-input.tsx'
import { findCollection, toText } from './labels.ts'
import type { listParameterErrors } from './service-response.tsx'
import { SeveralValues } from './several-values.tsx'
import { type Naming, type Source, useNaming } from './use-records.ts'

export interface FiltersProps {
  readonly operation: ListOperation
  readonly source: Source
  /** The validation errors of the request. */
  readonly errors: ReturnType<typeof listParameterErrors>
}

/** Renders the parameters of an operation; the URL keeps their values. */
export function Filters({ operation, source, errors }: FiltersProps) {
  const { parameters } = operation
  const { organizationId } = source
  const naming = useNaming(
    parameters.map(({ name }) => name),
    source,
  )
  const { query } = place.value
  const set = parameters.filter(({ name }) => query.has(name))
  const [isOpen, setOpen] = useState(() => matchMedia('(width >= 60rem)').matches)
  if (parameters.length === 0) return <p class="hint">This operation has no parameters.</p>
  const clear = (): void => setQuery(Object.fromEntries(set.map(({ name }) => [name, undefined])))
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="data-filters-summary">
        Parameters <span class="data-count">{set.length > 0 && `${set.length} set`}</span>
      </summary>
      <fieldset class="data-filters" aria-label="Parameters">
        {orderParameters(parameters).map((parameter) => (
          <Filter
            key={`${operation.id} ${parameter.name}`}
            parameter={parameter}
            operation={operation}
            organizationId={organizationId}
            naming={naming}
            error={errors.find((error) => error.in === 'query' && error.name === parameter.name)?.message}
          />
        ))}
      </fieldset>
      {set.length > 0 && (
        <p class="data-set">
          <button type="button" class="small" onClick={clear}>
            Clear {set.length} parameter{set.length === 1 ? '' : 's'}
          </button>
        </p>
      )}
    </details>
  )
}

const isPaging = ({ name }: Parameter): boolean => name === 'offset' || name === 'limit'

/** Moves the paging parameters to the end. */
function orderParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters.filter((one) => !isPaging(one)), ...parameters.filter(isPaging)]
}

interface FilterProps {
  readonly operation: ListOperation
  readonly organizationId: string
  readonly naming: Naming
  readonly parameter: Parameter
  readonly error: string | undefined
}

function Filter({ parameter, operation, organizationId, naming, error }: FilterProps) {
  const { name, description, schema } = parameter
  const id = useId()
  const values = place.value.query.getAll(name)
  const isSeveral = listTypes(schema).includes('array')
  const control = {
    id,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    title: description,
  }
  const change = (value: string): void => setQuery({ [name]: value === '' ? undefined : value })
  return (
    <div class={values.length > 0 ? 'data-filter is-set' : 'data-filter'}>
      <div class="data-filter-name">
        {isSeveral ? <span id={`${id}-name`}>{name}</span> : <label for={id}>{name}</label>}
        <Provenance of={parameter} subject={name} />
      </div>
      {isSeveral ? (
        <SeveralValues
          id={id}
          name={name}
          values={values}
          call={
            operation.item.properties?.[name] &&
            prepare('get', routes.data[':collection'].counts, {
              param: { collection: operation.collection },
              query: { by: name, organizationId },
            })
          }
          onChange={(chosen) => setQuery({ [name]: chosen, offset: undefined })}
        />
      ) : (
        <OneValue
          parameter={parameter}
          value={values[0] ?? ''}
          naming={naming}
          control={control}
          onChange={change}
        />
      )}
      {error !== undefined && (
        <p class="data-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface OneValueProps {
  readonly parameter: Parameter
  readonly value: string
  readonly naming: Naming
  /** The attributes of the control. */
  readonly control: Control
  readonly onChange: (value: string) => void
}

function OneValue({ parameter: { name, schema }, value, naming, control, onChange }: OneValueProps) {
  const defaultLabel = schema.default === undefined ? 'any' : `${toText(schema.default)} (default)`
  if (schema.enum) {
    // A value from the URL is shown even if it is unknown.
    const known = Array.from(new Set([...schema.enum.map(String), ...(value === '' ? [] : [value])]))
    return (
      <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{defaultLabel}</option>
        {known
          .filter((one) => one !== String(schema.default) || one === value)
          .map((one) => (
            <option key={one}>{one}</option>
          ))}
      </select>
    )
  }
  const isNumber = listTypes(schema).includes('integer')
  const collection = findCollection(name, naming.collections)
  const options = (collection !== undefined && naming.records.get(collection)?.items) || []
  return (
    <>
      <DraftInput
        control={control}
        value={value}
        commit={onChange}
        isNumber={isNumber}
        placeholder={isInstant(schema.pattern) ? '2026-01-15T12:00Z' : defaultLabel}
        list={options.length > 0 ? `${String(control['id'])}-list` : undefined}
      />
      {options.length > 0 && collection !== undefined && (
        <datalist id={`${String(control['id'])}-list`}>
          {options.map(({ id }) => (
            <option key={String(id)} value={String(id)}>
              {naming.records.getName(collection, id)}
            </option>
          ))}
        </datalist>
      )}
      {value !== '' && collection !== undefined && (
        <span class="hint data-meaning">{naming.records.getName(collection, Number(value))}</span>
      )}
    </>
  )
}

/** Reports whether a pattern describes a UTC date-time. */
function isInstant(pattern: string | undefined): boolean {
  if (pattern === undefined) return false
  const matches = new RegExp(pattern)
  return matches.test('2026-01-15T12:00:00Z') && !matches.test('x')
}
