import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** How many entries of a list or an object are shown at once. */
const SHOWN = 100

/** How deep it is unfolded at first. */
const OPEN_DEPTH = 2

/** How many fields of a folded object are told of, and how much of each. */
const TOLD = 2
const TOLD_LENGTH = 40

interface JsonProps {
  readonly value: unknown
  /** How deep it is unfolded at first. */
  readonly openDepth?: number | undefined
}

/** A JSON value, its lists and objects to fold. */
export function Json({ value, openDepth = OPEN_DEPTH }: JsonProps) {
  return (
    <div class="json">
      <Value value={value} levels={openDepth} />
    </div>
  )
}

interface ValueProps {
  readonly value: unknown
  /** How many levels are unfolded from here on. */
  readonly levels: number
  readonly label?: ComponentChildren
}

function Value({ value, levels, label }: ValueProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return <Folded value={value} levels={levels} label={label} />
  }
  const kind = value === null ? 'null' : typeof value
  return (
    <div class="json-row">
      {label}
      <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
    </div>
  )
}

function Folded({ value, levels, label }: ValueProps & { readonly value: object }) {
  const entries = Object.entries(value)
  const [isOpen, setOpen] = useState(levels > 0 && entries.length <= SHOWN)
  const [shown, setShown] = useState(SHOWN)
  const isList = Array.isArray(value)
  const count = `${entries.length} ${isList ? 'item' : 'field'}${entries.length === 1 ? '' : 's'}`
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        <span class="json-count">
          {isList ? '[ ]' : '{ }'} {count}
        </span>
        {!isOpen && !isList && <span class="json-told">{told(entries)}</span>}
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([key, part]) => (
            <Value key={key} value={part} levels={levels - 1} label={<span class="json-key">{key}: </span>} />
          ))}
      {isOpen && entries.length > shown && (
        <button type="button" class="small" onClick={() => setShown(shown + SHOWN)}>
          Show more of {entries.length}
        </button>
      )}
    </details>
  )
}

/** The first plain fields of an object. */
function told(entries: readonly (readonly [key: string, value: unknown])[]): string {
  return entries
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .slice(0, TOLD)
    .map(([key, value]) => `${key}: ${String(value).slice(0, TOLD_LENGTH)}`)
    .join(', ')
}
