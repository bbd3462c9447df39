import { useComputed } from '@preact/signals'
import { useState } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { statusClasses } from '../../components/status.tsx'
import { requests } from '../../live.ts'
import { place, setQuery } from '../../place.ts'
import { type FilterName, filterNames, parseFilter, noFilter, onlyLabels } from './filter.ts'

/** Values to choose from, with their labels. */
type Options = readonly (readonly [value: string, label: string])[]
type ChoiceName = Exclude<FilterName, 'text'>

const choices: Readonly<Record<ChoiceName, { readonly label: string; readonly any: string }>> = {
  method: { label: 'Method', any: 'Any method' },
  status: { label: 'Status', any: 'Any status' },
  operationId: { label: 'Operation', any: 'Any operation' },
  caller: { label: 'Caller', any: 'Any caller' },
  only: { label: 'Only', any: 'All requests' },
}

/** Renders the filters of the list; the URL keeps them. */
export function Filters() {
  // A string, so that unchanged options cause no render.
  const seen = useComputed(() => JSON.stringify(listOptions(requests.value)))
  const options: Readonly<Record<ChoiceName, Options>> = JSON.parse(seen.value)
  const [isOpen, setOpen] = useState(false)
  const filter = parseFilter(place.value.query)
  const count = filterNames.filter((name) => filter[name] !== '').length
  return (
    <search class={isOpen ? 'row requests-filters is-open' : 'row requests-filters'}>
      <label class="field requests-text">
        Search{' '}
        <input
          type="search"
          placeholder="Path, operation or caller"
          value={filter.text}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
      </label>
      <button type="button" class="requests-unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </button>
      {choiceNames.map((name) => (
        <Choice key={name} name={name} value={filter[name]} options={options[name]} />
      ))}
      {count > 0 && (
        <button type="button" class="requests-all" onClick={() => setQuery(noFilter)}>
          Clear filters
        </button>
      )}
    </search>
  )
}

/** Order: as shown. */
const choiceNames = ['method', 'status', 'operationId', 'caller', 'only'] as const

interface ChoiceProps {
  readonly name: ChoiceName
  readonly value: string
  readonly options: Options
}

function Choice({ name, value, options }: ChoiceProps) {
  const { label, any } = choices[name]
  const isKnown = value === '' || options.some(([known]) => known === value)
  return (
    <label class="field requests-choice">
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}>
        <option value="">{any}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map(([known, text]) => (
          <option key={known} value={known}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Lists the values of each filter that occur. */
function listOptions(entries: readonly RequestSummary[]): Readonly<Record<ChoiceName, Options>> {
  const callers = new Map(entries.map(({ caller }) => [`${caller?.id ?? 'none'}`, caller?.name ?? 'none']))
  return {
    method: toOptions(entries.map(({ method }) => method)),
    status: [
      ...statusClasses.map((name) => [name, name === 'broken' ? 'cut off' : name] as const),
      ...toOptions(entries.map(({ status }) => `${status}`).filter((status) => status !== 'pending')),
    ],
    operationId: toOptions(entries.map(({ operationId }) => operationId ?? 'none')),
    caller: [...callers].toSorted(([a], [b]) => Number(a) - Number(b) || 0),
    only: Object.entries(onlyLabels),
  }
}

/** Returns each value once. Order: alphabetical. */
function toOptions(values: readonly string[]): Options {
  return [...new Set(values)].toSorted().map((value) => [value, value])
}
