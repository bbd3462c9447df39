import type { Fault } from '../../testing/faults/fault.ts'
import { prepare, prepareFault, routes } from '../client.ts'
import { Icon } from './icon.tsx'
import { Button } from './ui.tsx'
import { useChange, useRead } from './use-calls.ts'

/** Prepares to make the next request fail with 503, before any other fault. Returns the fault that waits for it. */
export function useFailNext(): { readonly waiting: Fault | undefined; readonly toggle: () => void } {
  const { value } = useRead(prepare('get', routes.faults))
  const { make, isBusy } = useChange()
  const waiting = value?.items.find(isNext)
  const toggle = (): void => {
    if (isBusy) return
    if (waiting) {
      const call = prepare('delete', routes.faults[':id'], { param: { id: waiting.id } })
      void make(call, 'Canceled: the next request succeeds.')
    } else {
      void make(prepareFault({ status: 503, times: 1 }), 'The next request fails with 503.')
    }
  }
  return { waiting, toggle }
}

export function FailNext() {
  const { waiting, toggle } = useFailNext()
  const label = waiting ? 'The next request fails' : 'Fail the next request'
  return (
    <Button class={waiting && 'bad'} title={label} pressed={waiting !== undefined} run={toggle}>
      <Icon name="zap" /> <span class="fail-label">{label}</span>
    </Button>
  )
}

function isNext({ id: _id, matched: _matched, injected: _injected, left, ...settings }: Fault): boolean {
  const { status, times, ...others } = settings
  const isPlain = Object.values(others).every((value) => value === undefined)
  return left === 1 && status === 503 && times === 1 && isPlain
}
