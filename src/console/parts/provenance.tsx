import { useId, useState } from 'preact/hooks'

import type { ListedAssumption } from '../../control/assumption-routes.ts'
import { addressOf } from '../place.ts'
import { Problem } from './problem.tsx'
import { useAnswer } from './use-answer.ts'

export interface ProvenanceProps {
  readonly of: { readonly 'x-provenance'?: string; readonly 'x-assumption'?: string }
  /** What is documented or assumed, for who hears the page. */
  readonly what: string
}

/** Says whether something is documented or assumed, and on demand what is assumed about it. */
export function Provenance({ of, what }: ProvenanceProps) {
  const assumption = of['x-assumption']
  return (
    <span class="provenance">
      <span class="provenance-word">{of['x-provenance']}</span>
      {assumption !== undefined && <AssumptionButton id={assumption} what={what} />}
    </span>
  )
}

/** An assumption's id; a click tells its text. */
function AssumptionButton({ id, what }: { readonly id: string; readonly what: string }) {
  const popover = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="provenance-button tag odd"
        popovertarget={popover}
        aria-label={`${id}: what is assumed about ${what}`}
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
  const { value: all, error } = useAnswer<readonly ListedAssumption[]>({ path: '/_sandbox/assumptions' })
  const found = all?.find((one) => one.id === id)
  if (!found) return error === undefined ? <p>Reading…</p> : <Problem error={error} />
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
        The service’s document leaves this open. Assumed: {decision}, because {because}.
      </p>
      {meaning !== undefined && <p>In this session: {meaning}.</p>}
      <p>
        <a href={addressOf('steer', ['assumptions'], new URLSearchParams({ id }))}>
          See what else it could be
        </a>
      </p>
    </>
  )
}
