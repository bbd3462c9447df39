import { useId, useState } from 'preact/hooks'

import { Provenance } from '../../parts/provenance.tsx'
import { showWith } from '../../parts/query.ts'
import { place } from '../../place.ts'
import type { errorsOf } from './answered.tsx'
import { type ListOperation, type Parameter, typesOf } from './contract.ts'
import { type Control, DraftInput } from './draft-input.tsx'
import { SeveralValues } from './several-values.tsx'
import { type Naming, type Source, useNaming } from './use-naming.ts'
import { collectionOf, textOf } from './words.ts'

export interface FiltersProps {
  readonly operation: ListOperation
  readonly source: Source
  /** What the service says is wrong with the request. */
  readonly errors: ReturnType<typeof errorsOf>
}

/** The parameters of an operation, to set; the address keeps what is set. */
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
  const clear = (): void => showWith(Object.fromEntries(set.map(({ name }) => [name, undefined])))
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="data-filters-summary">
        Parameters <span class="data-count">{set.length > 0 && `${set.length} set`}</span>
      </summary>
      <fieldset class="data-filters" aria-label="Parameters">
        {inOrder(parameters).map((parameter) => (
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

const isOfPages = ({ name }: Parameter): boolean => name === 'offset' || name === 'limit'

/** What pages are made of comes last. */
function inOrder(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters.filter((one) => !isOfPages(one)), ...parameters.filter(isOfPages)]
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
  const isSeveral = typesOf(schema).includes('array')
  const control = {
    id,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    title: description,
  }
  const change = (value: string): void => showWith({ [name]: value === '' ? undefined : value })
  return (
    <div class={values.length > 0 ? 'data-filter is-set' : 'data-filter'}>
      <div class="data-filter-name">
        {isSeveral ? <span id={`${id}-name`}>{name}</span> : <label for={id}>{name}</label>}
        <Provenance of={parameter} what={name} />
      </div>
      {isSeveral ? (
        <SeveralValues
          id={id}
          name={name}
          values={values}
          path={
            operation.item.properties?.[name] &&
            `/_sandbox/data/${operation.collection}/counts?${new URLSearchParams({ by: name, organizationId })}`
          }
          onChange={(chosen) => showWith({ [name]: chosen, offset: undefined })}
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
  /** The attributes of whatever control it is. */
  readonly control: Control
  readonly onChange: (value: string) => void
}

function OneValue({ parameter: { name, schema }, value, naming, control, onChange }: OneValueProps) {
  const byDefault = schema.default === undefined ? 'any' : `${textOf(schema.default)} (default)`
  if (schema.enum) {
    // What the address has is shown as it is, known or not.
    const known = Array.from(new Set([...schema.enum.map(String), ...(value === '' ? [] : [value])]))
    return (
      <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{byDefault}</option>
        {known
          .filter((one) => one !== String(schema.default) || one === value)
          .map((one) => (
            <option key={one}>{one}</option>
          ))}
      </select>
    )
  }
  const isNumber = typesOf(schema).includes('integer')
  const collection = collectionOf(name, naming.collections)
  const options = (collection !== undefined && naming.records.of(collection)?.items) || []
  return (
    <>
      <DraftInput
        control={control}
        value={value}
        commit={onChange}
        isNumber={isNumber}
        placeholder={isInstant(schema.pattern) ? '2026-01-15T12:00Z' : byDefault}
        list={options.length > 0 ? `${String(control['id'])}-list` : undefined}
      />
      {options.length > 0 && collection !== undefined && (
        <datalist id={`${String(control['id'])}-list`}>
          {options.map(({ id }) => (
            <option key={String(id)} value={String(id)}>
              {naming.records.nameOf(collection, id)}
            </option>
          ))}
        </datalist>
      )}
      {value !== '' && collection !== undefined && (
        <span class="hint data-meaning">{naming.records.nameOf(collection, Number(value))}</span>
      )}
    </>
  )
}

/** Says that a pattern is that of a UTC date-time. */
function isInstant(pattern: string | undefined): boolean {
  if (pattern === undefined) return false
  const matches = new RegExp(pattern)
  return matches.test('2026-01-15T12:00:00Z') && !matches.test('x')
}
