import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { plural } from './format.tsx'
import { Button } from './ui.tsx'

const SHOWN = 100

const [SUMMARY_FIELDS, SUMMARY_LENGTH] = [2, 40]

export function Json({ value, openDepth = 2 }: { readonly value: unknown; readonly openDepth?: number }) {
  return (
    <div class="json">
      <Value value={value} levels={openDepth} />
    </div>
  )
}

interface ValueProps {
  readonly value: unknown
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
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        <span class="json-count">
          {isList ? '[ ]' : '{ }'} {plural(entries.length, isList ? 'item' : 'field')}
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
        <Button class="small" run={() => setShown(shown + SHOWN)}>
          Show more of {entries.length}
        </Button>
      )}
    </details>
  )
}

function summarizeFields(entries: readonly (readonly [key: string, value: unknown])[]): string {
  return entries
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .slice(0, SUMMARY_FIELDS)
    .map(([key, value]) => `${key}: ${String(value).slice(0, SUMMARY_LENGTH)}`)
    .join(', ')
}
