import type { ComponentChildren } from 'preact'

import { Dialog } from './dialog.tsx'

export interface ConfirmProps {
  readonly title: string
  /** What the button that does it says. */
  readonly verb: string
  /** Does it; the dialog has been closed. */
  readonly confirm: () => unknown
  readonly close: () => void
  readonly children: ComponentChildren
}

/** Asks before something is dropped. */
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
