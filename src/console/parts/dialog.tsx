import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface DialogProps {
  readonly title: string
  /** The dialog is to go: Escape, its last button, or what the browser has for that. */
  readonly onClose: () => void
  /** What Enter and a button of the type submit do. */
  readonly onSubmit?: () => void
  /** The buttons before the one that closes. */
  readonly actions?: ComponentChildren
  /** What the button that closes says. */
  readonly dismissal?: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/**
 * A modal dialog, open for as long as it is rendered; the focus returns to where it was. What is to have the focus at
 * first has `autofocus`; without, it is the first control.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, onSubmit, actions, dismissal = 'Cancel', isWide = false, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onSubmit?.()
  }
  // The event comes after a dialog that goes by itself has gone.
  const close = (): void => {
    if (dialog.current) onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={heading}
      onClose={close}
    >
      <form onSubmit={submit}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div class="row dialog-actions">
          {actions}
          <button type="button" onClick={onClose}>
            {dismissal}
          </button>
        </div>
      </form>
    </dialog>
  )
}
