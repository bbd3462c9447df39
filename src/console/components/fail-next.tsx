import type { Fault } from '../../faults/fault.ts'
import { prepare, routes } from '../client.ts'
import { useChange, useRead } from './use-calls.ts'

/** Whether the next request fails, and a function to change that. */
export interface FailNextState {
  readonly waiting: Fault | undefined
  readonly toggle: () => void
}

/** Prepares to make the next request fail with 503, before any other fault. */
export function useFailNext(): FailNextState {
  const { value } = useRead(prepare('get', routes.faults))
  const { make, isBusy } = useChange()
  const waiting = value?.items.find(isNext)
  const toggle = (): void => {
    if (isBusy) return
    if (waiting) {
      const call = prepare('delete', routes.faults[':id'], { param: { id: waiting.id } })
      void make(call, 'Canceled: the next request succeeds.')
    } else {
      const call = prepare('post', routes.faults, {
        query: { first: 'true' },
        json: { status: 503, times: 1 },
      })
      void make(call, 'The next request fails with 503.')
    }
  }
  return { waiting, toggle }
}

/** Renders a button that makes the next request fail, and then cancels it. */
export function FailNext({ isSmall = false }: { readonly isSmall?: boolean }) {
  const { waiting, toggle } = useFailNext()
  const size = isSmall ? 'small fail-next' : 'fail-next'
  return (
    <button
      type="button"
      class={waiting ? `${size} is-on` : size}
      aria-pressed={waiting !== undefined}
      onClick={toggle}
    >
      <span aria-hidden="true">⚡</span> {waiting ? 'The next request fails' : 'Fail the next request'}
    </button>
  )
}

/** Reports whether a fault affects only the next request, as this button adds it. */
function isNext({ id: _id, matched: _matched, injected: _injected, left, ...settings }: Fault): boolean {
  const { status, times, ...others } = settings
  const isPlain = Object.values(others).every((value) => value === undefined)
  return left === 1 && status === 503 && times === 1 && isPlain
}
