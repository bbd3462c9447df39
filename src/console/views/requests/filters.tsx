import { useComputed } from '@preact/signals'
import { useState } from 'preact/hooks'

import type { RequestSummary } from '../../../control/journal/view.ts'
import { requests } from '../../live.ts'
import { showWith } from '../../parts/query.ts'
import { statusClasses } from '../../parts/status.ts'
import { place } from '../../place.ts'
import { type FilterName, filterNames, filterOf, noFilter, onlies } from './filter.ts'

/** Values to choose from, and what each is called. */
type Options = readonly (readonly [value: string, label: string])[]
type ChoiceName = Exclude<FilterName, 'text'>

const choices: Readonly<Record<ChoiceName, { readonly label: string; readonly any: string }>> = {
  method: { label: 'Method', any: 'Any method' },
  status: { label: 'Status', any: 'Any status' },
  operationId: { label: 'Operation', any: 'Any operation' },
  caller: { label: 'Caller', any: 'Any caller' },
  only: { label: 'Only', any: 'All requests' },
}

/** Narrows the list; what is chosen is part of the address. */
export function Filters() {
  // A text, so that nothing is rendered anew while the options stay the same.
  const seen = useComputed(() => JSON.stringify(optionsOf(requests.value)))
  const options: Readonly<Record<ChoiceName, Options>> = JSON.parse(seen.value)
  const [isOpen, setOpen] = useState(false)
  const filter = filterOf(place.value.query)
  const count = filterNames.filter((name) => filter[name] !== '').length
  return (
    <search class={isOpen ? 'row requests-filters is-open' : 'row requests-filters'}>
      <label class="field requests-text">
        Search{' '}
        <input
          type="search"
          placeholder="Path, operation or caller"
          value={filter.text}
          onInput={({ currentTarget }) => showWith({ text: currentTarget.value })}
        />
      </label>
      <button type="button" class="requests-unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </button>
      {choiceNames.map((name) => (
        <Choice key={name} name={name} value={filter[name]} options={options[name]} />
      ))}
      {count > 0 && (
        <button type="button" class="requests-all" onClick={() => showWith(noFilter)}>
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
      <select value={value} onChange={({ currentTarget }) => showWith({ [name]: currentTarget.value })}>
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

/** What requests may be chosen by, as far as they differ. */
function optionsOf(entries: readonly RequestSummary[]): Readonly<Record<ChoiceName, Options>> {
  const callers = new Map(entries.map(({ caller }) => [`${caller?.id ?? 'none'}`, caller?.name ?? 'none']))
  return {
    method: plain(entries.map(({ method }) => method)),
    status: [
      ...statusClasses.map((name) => [name, name === 'broken' ? 'broken off' : name] as const),
      ...plain(entries.map(({ status }) => `${status}`).filter((status) => status !== 'pending')),
    ],
    operationId: plain(entries.map(({ operationId }) => operationId ?? 'none')),
    caller: [...callers].toSorted(([a], [b]) => Number(a) - Number(b) || 0),
    only: Object.entries(onlies),
  }
}

/** Each value once. Order: alphabetical. */
function plain(values: readonly string[]): Options {
  return [...new Set(values)].toSorted().map((value) => [value, value])
}
