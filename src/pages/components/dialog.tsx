import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

import { connection } from '../live.ts'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly onSubmit?: () => unknown
  /** The label of the submit button; by default, there is no such button. */
  readonly verb?: string
  readonly look?: 'primary' | 'bad'
  readonly isDisabled?: boolean
  readonly dismissal?: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/**
 * Renders a modal dialog, open while it is rendered; the focus then returns to where it was. The first control gets the
 * focus, unless another has `autofocus`.
 */
export function Dialog({ title, onClose, onSubmit, children, ...props }: DialogProps) {
  const { verb, look = 'primary', isDisabled, dismissal = 'Cancel', isWide } = props
  const heading = useId()
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    void onSubmit?.()
  }
  return (
    <dialog {...useModal(onClose)} class={isWide ? 'dialog is-wide' : 'dialog'} aria-labelledby={heading}>
      <form onSubmit={submit}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div class="row dialog-actions">
          {verb !== undefined && (
            <button type="submit" class={look} disabled={isDisabled}>
              {verb}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {dismissal}
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

export interface ConfirmProps {
  readonly title: string
  readonly verb: string
  readonly confirm: () => unknown
  readonly close: () => void
  readonly children: ComponentChildren
}

export function Confirm({ title, verb, confirm, close, children }: ConfirmProps) {
  const submit = (): unknown => {
    close()
    return confirm()
  }
  return (
    <Dialog title={title} onClose={close} onSubmit={submit} verb={verb} look="bad">
      {children}
    </Dialog>
  )
}
