import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { connection } from '../live.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly onSubmit?: () => unknown
  /** The label of the submit button; by default, there is no such button. */
  readonly verb?: string
  readonly look?: 'primary' | 'bad'
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
}

/**
 * Renders a modal dialog, open while it is rendered; the focus then returns to where it was. The first control gets the
 * focus.
 */
export function Dialog({ title, onClose, onSubmit, children, verb, look, isDisabled }: DialogProps) {
  const heading = useId()
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    void onSubmit?.()
  }
  return (
    <dialog {...useModal(onClose)} aria-labelledby={heading}>
      <form onSubmit={submit}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div class="row">
          {verb !== undefined && (
            <button type="submit" class={look ?? 'primary'} disabled={isDisabled}>
              {verb}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {verb === undefined ? 'Close' : 'Cancel'}
          </button>
        </div>
      </form>
    </dialog>
  )
}

export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const isLost = connection.value === 'lost'
  useLayoutEffect(() => {
    const { current } = ref
    // A modal dialog would keep the message about the lost connection from being used.
    if (isLost) current?.close()
    else current?.showModal()
    return () => current?.close()
  }, [isLost])
  // The event also fires after the dialog was removed, or hidden for a while.
  return { ref, onClose: () => ref.current && connection.peek() !== 'lost' && onClose() }
}
