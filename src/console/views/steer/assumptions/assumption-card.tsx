import { useEffect, useRef, useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../../control/assumption-routes.ts'
import type { UsedAssumption } from '../../../../control/journal/assumptions-report.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { elsewhere } from '../../../parts/field-errors.ts'
import { Problem } from '../../../parts/problem.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { addressOf } from '../../../place.ts'
import { Alternatives } from './alternatives.tsx'
import { differs, isSame, patchOf } from './decision.ts'

interface AssumptionCardProps {
  readonly assumption: ListedAssumption
  /** Undefined where no request rests on it. */
  readonly use: UsedAssumption | undefined
  /** Whether the address names it. */
  readonly isChosen: boolean
}

/** One assumption: what it is about, its alternatives, and what rests on it. */
export function AssumptionCard({ assumption, use, isChosen }: AssumptionCardProps) {
  const { id, subject, decision, because, name, options, value } = assumption
  const card = useRef<HTMLLIElement>(null)
  const { make, error } = useChange()
  useEffect(() => {
    if (!isChosen) return
    card.current?.scrollIntoView({ block: 'center' })
    card.current?.focus({ preventScroll: true })
  }, [isChosen])
  // What was clicked stays so until the answer tells.
  const [wanted, setWanted] = useState<unknown>()
  useEffect(() => setWanted(undefined), [assumption, error])
  const decide = (to: unknown): void => {
    if (name === null) return
    setWanted(to)
    void make(patchOf({ [name]: to }), `${id} is decided: ${name}.`)
  }
  const other = options.find((option) => !isSame(option, value))
  return (
    <li
      ref={card}
      tabIndex={isChosen ? -1 : undefined}
      class={isChosen ? 'card assumption is-chosen' : 'card assumption'}
    >
      <h3>
        <a
          href={addressOf('steer', ['assumptions'], new URLSearchParams({ id }))}
          aria-current={isChosen ? 'true' : undefined}
        >
          {id}
        </a>{' '}
        {subject} {differs(assumption) && <span class="tag odd">decided otherwise</span>}
      </h3>
      <p>
        By default: {decision}. <span class="hint">Because {because}.</span>
      </p>
      {name === null ? (
        <p class="hint">This one cannot be decided otherwise.</p>
      ) : (
        <Alternatives assumption={{ ...assumption, value: wanted ?? value }} decide={decide} error={error} />
      )}
      <Problem error={elsewhere(error, name !== null && Array.isArray(options[0]) ? [name] : [])} />
      {use && <Use use={use} />}
      {name !== null && <AsCurl call={patchOf({ [name]: differs(assumption) ? value : other })} />}
    </li>
  )
}

function Use({ use: { count, operations, requestIds } }: { readonly use: UsedAssumption }) {
  return (
    <p class="assumption-use">
      <span class="tag">used</span> by {count} {count === 1 ? 'request' : 'requests'} to{' '}
      {operations.join(', ') || 'no operation'}:{' '}
      {requestIds.map((id) => (
        <>
          <a href={addressOf('requests', [`${id}`])}>{id}</a>{' '}
        </>
      ))}
      {count > requestIds.length && '…'}
    </p>
  )
}
