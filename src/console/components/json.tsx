import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** The number of entries of a list or object to show at once. */
const SHOWN = 100

/** The number of levels to expand at first. */
const OPEN_DEPTH = 2

/** The number of fields in the summary of a collapsed object, and the length of each. */
const SUMMARY_FIELDS = 2
const SUMMARY_LENGTH = 40

interface JsonProps {
  readonly value: unknown
  /** The number of levels to expand at first. */
  readonly openDepth?: number | undefined
}

/** Renders a JSON value with collapsible lists and objects. */
export function Json({ value, openDepth = OPEN_DEPTH }: JsonProps) {
  return (
    <div class="json">
      <Value value={value} levels={openDepth} />
    </div>
  )
}

interface ValueProps {
  readonly value: unknown
  /** The number of levels to expand from here. */
  readonly levels: number
  readonly label?: ComponentChildren
}

function Value({ value, levels, label }: ValueProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return <Collapsible value={value} levels={levels} label={label} />
  }
  const kind = value === null ? 'null' : typeof value
  return (
    <div class="json-row">
      {label}
      <span class={`json-${kind}`}>{JSON.stringify(value)}</span>
    </div>
  )
}

function Collapsible({ value, levels, label }: ValueProps & { readonly value: object }) {
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
        {!isOpen && !isList && <span class="json-summary">{summarizeFields(entries)}</span>}
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

/** Summarizes an object by its first simple fields. */
function summarizeFields(entries: readonly (readonly [key: string, value: unknown])[]): string {
  return entries
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .slice(0, SUMMARY_FIELDS)
    .map(([key, value]) => `${key}: ${String(value).slice(0, SUMMARY_LENGTH)}`)
    .join(', ')
}
