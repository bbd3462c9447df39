import type { ComponentChildren } from 'preact'

import { Instant } from '../../parts/instant.tsx'
import { addressOf } from '../../place.ts'
import type { Naming } from './use-naming.ts'
import { type AnyRecord, collectionOf, isRecord, labelOf, placed, textOf } from './words.ts'

export interface CellProps {
  readonly field: string
  readonly value: unknown
  readonly naming: Naming
  /** Whether nothing is left out. */
  readonly isWhole?: boolean
}

/** Up to how many characters a text is kept in one line. */
const WORD = 16

/** How many entries of a list a cell shows. */
const SHOWN = 4

/** A field's value: what it refers to by name, instants short, lists as their entries' names. */
export function Cell({ field, value, naming, isWhole = false }: CellProps): ComponentChildren {
  if (value === null || value === '') return <span class="data-nothing">{JSON.stringify(value)}</span>
  if (Array.isArray(value)) return <Entries field={field} values={value} naming={naming} isWhole={isWhole} />
  if (isRecord(value))
    return isWhole ? <Parts of={value} naming={naming} /> : <Text text={entryText(value)} />
  const collection = collectionOf(field, naming.collections)
  if (collection !== undefined) {
    return <Named collection={collection} id={value} name={naming.records.nameOf(collection, value)} />
  }
  if (typeof value !== 'string') return textOf(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return <Instant at={value} part="minute" />
  return isWhole ? <span class="data-text">{value}</span> : <Text text={value} />
}

/** A text, kept in one line where it is short, and to a few where it is long. */
function Text({ text }: { readonly text: string }) {
  return <span class={wordClass(text) ?? 'data-short'}>{text}</span>
}

const wordClass = (text: string): string | undefined => (text.length > WORD ? undefined : 'data-word')

/** A record that is referred to, linked. */
export function Named({
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
      href={addressOf('data', [collection, String(id)])}
      class={wordClass(text)}
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
      {placed(shown).map(({ place, value }) => (
        <li key={place}>
          {isLinked && isRecord(value) && typeof value['id'] === 'number' ? (
            <Named collection={field} id={value['id']} name={labelOf(value)} />
          ) : isRecord(value) ? (
            entryText(value)
          ) : (
            textOf(value)
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

/** An object in a few words, as in `dashboards (active)`, `Account Manager: Priya Nair`, `tier: Silver`. */
function entryText(entry: AnyRecord): string {
  const label = labelOf(entry)
  const { members, status, value, externalId } = entry
  const said: unknown = Array.isArray(members)
    ? members.map((member) => (isRecord(member) ? labelOf(member) : String(member))).join(', ')
    : (value ?? externalId)
  if (label === '') {
    return Object.entries(entry)
      .map(([key, part]) => `${key}: ${textOf(part)}`)
      .join(', ')
  }
  if (said !== undefined) return `${label}: ${typeof said === 'string' ? said : JSON.stringify(said)}`
  return typeof status === 'string' ? `${label} (${status})` : label
}
