import { useId, useState } from 'preact/hooks'

import { listAssumptions } from '../client.ts'
import { linkTo } from '../place.ts'
import { Problem } from './problem.tsx'
import { useRead } from './use-calls.ts'

export interface ProvenanceProps {
  readonly of: { readonly 'x-provenance'?: string; readonly 'x-assumption'?: string }
  /** The name of the documented or assumed part, for screen readers. */
  readonly subject: string
}

/** Renders whether something is documented or assumed, and the assumption on click. */
export function Provenance({ of, subject }: ProvenanceProps) {
  const assumption = of['x-assumption']
  return (
    <span class="provenance">
      <span class="provenance-word">{of['x-provenance']}</span>
      {assumption !== undefined && <AssumptionButton id={assumption} subject={subject} />}
    </span>
  )
}

/** Renders an assumption's id; a click shows its text. */
function AssumptionButton({ id, subject }: { readonly id: string; readonly subject: string }) {
  const popover = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="provenance-button tag odd"
        popovertarget={popover}
        aria-label={`${id}: assumption about ${subject}`}
      >
        {id}
      </button>
      <dialog
        id={popover}
        popover="auto"
        class="provenance-text"
        aria-label={`Assumption ${id}`}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <AssumptionText id={id} />}
      </dialog>
    </>
  )
}

function AssumptionText({ id }: { readonly id: string }) {
  const { value: all, error } = useRead(listAssumptions)
  const found = all?.find((one) => one.id === id)
  if (!found) return error === undefined ? <p>Loading…</p> : <Problem error={error} />
  const { subject, decision, because, options, meanings, value } = found
  const meaning = meanings[options.findIndex((one) => JSON.stringify(one) === JSON.stringify(value))]
  return (
    <>
      <p>
        <strong>
          {id}: {subject}
        </strong>
      </p>
      <p>
        The service’s documentation does not specify this. The sandbox assumes: {decision}, because {because}.
      </p>
      {meaning !== undefined && <p>In this session: {meaning}.</p>}
      <p>
        <a href={linkTo('control', ['assumptions'], new URLSearchParams({ id }))}>See the alternatives</a>
      </p>
    </>
  )
}
