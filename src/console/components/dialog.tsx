import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface DialogProps {
  readonly title: string
  /** Called when the dialog is dismissed by Escape, its last button or the browser. */
  readonly onClose: () => void
  /** Called on Enter and by a submit button. */
  readonly onSubmit?: () => void
  /** The buttons before the closing one. */
  readonly actions?: ComponentChildren
  /** The label of the closing button. */
  readonly dismissal?: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/**
 * Renders a modal dialog, open while it is rendered; the focus then returns to where it was. The first control gets the
 * focus, unless another has `autofocus`.
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
  // The event also fires after the dialog was removed.
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

export interface ConfirmProps {
  readonly title: string
  /** The label of the confirming button. */
  readonly verb: string
  /** Called on confirmation, after the dialog was closed. */
  readonly confirm: () => unknown
  readonly close: () => void
  readonly children: ComponentChildren
}

/** Asks for confirmation before something is deleted. */
export function Confirm({ title, verb, confirm, close, children }: ConfirmProps) {
  const submit = (): void => {
    close()
    void confirm()
  }
  const action = (
    <button type="submit" class="danger">
      {verb}
    </button>
  )
  return (
    <Dialog title={title} onClose={close} onSubmit={submit} actions={action}>
      {children}
    </Dialog>
  )
}
