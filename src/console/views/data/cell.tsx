import type { ComponentChildren } from 'preact'

import { Instant } from '../../components/format.tsx'
import { linkTo } from '../../place.ts'
import { type AnyRecord, findCollection, isRecord, getLabel, withKeys, toText } from './labels.ts'
import type { Naming } from './use-records.ts'

export interface CellProps {
  readonly field: string
  readonly value: unknown
  readonly naming: Naming
  /** Shows the full value. */
  readonly isWhole?: boolean
}

/** The length up to which text stays on one line. */
const WORD = 16

/** The number of list entries in a cell. */
const SHOWN = 4

/** Renders a field's value: references by name, instants short, lists as names. */
export function Cell({ field, value, naming, isWhole = false }: CellProps): ComponentChildren {
  if (value === null || value === '') return <span class="data-nothing">{JSON.stringify(value)}</span>
  if (Array.isArray(value)) return <Entries field={field} values={value} naming={naming} isWhole={isWhole} />
  if (isRecord(value))
    return isWhole ? <Parts of={value} naming={naming} /> : <Text text={summarizeEntry(value)} />
  const collection = findCollection(field, naming.collections)
  if (collection !== undefined) {
    return <RecordLink collection={collection} id={value} name={naming.records.getName(collection, value)} />
  }
  if (typeof value !== 'string') return toText(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return <Instant at={value} part="minute" />
  return isWhole ? <span class="data-text">{value}</span> : <Text text={value} />
}

/** Renders text on one line if it is short, or on a few if it is long. */
function Text({ text }: { readonly text: string }) {
  return <span class={getWordClass(text) ?? 'data-short'}>{text}</span>
}

const getWordClass = (text: string): string | undefined => (text.length > WORD ? undefined : 'data-word')

/** Renders a link to a record. */
export function RecordLink({
  collection,
  id,
  name,
}: {
  readonly collection: string
  readonly id: unknown
  readonly name: string | undefined
}) {
  const text = name ?? String(id)
  return (
    <a
      href={linkTo('data', [collection, String(id)])}
      class={getWordClass(text)}
      title={`${collection} ${String(id)}`}
    >
      {text}
    </a>
  )
}

interface EntriesProps {
  readonly field: string
  readonly values: readonly unknown[]
  readonly naming: Naming
  readonly isWhole: boolean
}

function Entries({ field, values, naming, isWhole }: EntriesProps) {
  if (values.length === 0) return <span class="data-nothing">[ ]</span>
  const shown = isWhole ? values : values.slice(0, SHOWN)
  const isLinked = naming.collections.includes(field)
  return (
    <ul class="data-entries">
      {withKeys(shown).map(({ place, value }) => (
        <li key={place}>
          {isLinked && isRecord(value) && typeof value['id'] === 'number' ? (
            <RecordLink collection={field} id={value['id']} name={getLabel(value)} />
          ) : isRecord(value) ? (
            summarizeEntry(value)
          ) : (
            toText(value)
          )}
        </li>
      ))}
      {values.length > shown.length && <li class="hint">and {values.length - shown.length} more</li>}
    </ul>
  )
}

function Parts({ of, naming }: { readonly of: AnyRecord; readonly naming: Naming }) {
  return (
    <dl class="data-parts">
      {Object.entries(of).map(([field, value]) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <Cell field={field} value={value} naming={naming} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Summarizes an object, as in `dashboards (active)`, `Account Manager: Priya Nair`, `tier: Silver`. */
function summarizeEntry(entry: AnyRecord): string {
  const label = getLabel(entry)
  const { members, status, value, externalId } = entry
  const said: unknown = Array.isArray(members)
    ? members.map((member) => (isRecord(member) ? getLabel(member) : String(member))).join(', ')
    : (value ?? externalId)
  if (label === '') {
    return Object.entries(entry)
      .map(([key, part]) => `${key}: ${toText(part)}`)
      .join(', ')
  }
  if (said !== undefined) return `${label}: ${typeof said === 'string' ? said : JSON.stringify(said)}`
  return typeof status === 'string' ? `${label} (${status})` : label
}
