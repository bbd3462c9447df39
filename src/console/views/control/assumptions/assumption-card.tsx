import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../../control/routes/assumptions.ts'
import type { UsedAssumption } from '../../../../explain/report.ts'
import { Problem, omitFieldErrors } from '../../../components/problem.tsx'
import { useChange } from '../../../components/use-calls.ts'
import { linkTo } from '../../../place.ts'
import { Alternatives } from './alternatives.tsx'
import { isOverridden, isSame, patchAssumptions } from './override.ts'

interface AssumptionCardProps {
  readonly assumption: ListedAssumption
  /** Undefined if no request depends on it. */
  readonly use: UsedAssumption | undefined
  /** Whether the URL selects it. */
  readonly isChosen: boolean
}

/** Renders an assumption with its alternatives and the requests that depend on it. */
export function AssumptionCard({ assumption, use, isChosen }: AssumptionCardProps) {
  const { id, subject, decision, because, name, options, value } = assumption
  const card = useRef<HTMLLIElement>(null)
  const { make, error } = useChange()
  useLayoutEffect(() => {
    if (!isChosen) return
    card.current?.scrollIntoView({ block: 'center' })
    card.current?.focus({ preventScroll: true })
  }, [isChosen])
  // Keeps the clicked value until the response arrives.
  const [wanted, setWanted] = useState<unknown>()
  useEffect(() => setWanted(undefined), [assumption, error])
  const setValue = (to: unknown): void => {
    if (name === null) return
    setWanted(to)
    void make(patchAssumptions({ [name]: to }), `Changed ${name} (${id}).`)
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
          href={linkTo('control', ['assumptions'], new URLSearchParams({ id }))}
          aria-current={isChosen ? 'true' : undefined}
        >
          {id}
        </a>{' '}
        {subject} {isOverridden(assumption) && <span class="tag odd">overridden</span>}
      </h3>
      <p>
        Default: {decision}. <span class="hint">Reason: {because}.</span>
      </p>
      {name === null ? (
        <p class="hint">This assumption cannot be overridden.</p>
      ) : (
        <Alternatives
          assumption={{ ...assumption, value: wanted ?? value }}
          setValue={setValue}
          error={error}
        />
      )}
      <Problem error={omitFieldErrors(error, name !== null && Array.isArray(options[0]) ? [name] : [])} />
      {use && <Use use={use} />}
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
          <a href={linkTo('traffic', [`${id}`])}>{id}</a>{' '}
        </>
      ))}
      {count > requestIds.length && '…'}
    </p>
  )
}
