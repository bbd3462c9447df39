import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** How many entries of a list or an object are shown at once. */
const SHOWN = 100

/** How deep it is unfolded at first. */
const OPEN_DEPTH = 2

/** A JSON value, its lists and objects to fold. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    <div class="json">
      <Value value={value} depth={0} />
    </div>
  )
}

interface ValueProps {
  readonly value: unknown
  readonly depth: number
  readonly label?: ComponentChildren
}

function Value({ value, depth, label }: ValueProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return <Folded value={value} depth={depth} label={label} />
  }
  const kind = value === null ? 'null' : typeof value
  return (
    <div class="json-row">
      {label}
      <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
    </div>
  )
}

function Folded({ value, depth, label }: ValueProps & { readonly value: object }) {
  const entries = Object.entries(value)
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= SHOWN)
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
      </summary>
      {isOpen &&
        entries
          .slice(0, shown)
          .map(([key, part]) => (
            <Value key={key} value={part} depth={depth + 1} label={<span class="json-key">{key}: </span>} />
          ))}
      {isOpen && entries.length > shown && (
        <button type="button" class="small" onClick={() => setShown(shown + SHOWN)}>
          Show more of {entries.length}
        </button>
      )}
    </details>
  )
}
