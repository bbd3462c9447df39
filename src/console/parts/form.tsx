import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface FormProps {
  readonly label: string
  readonly submit: () => unknown
  /** Why it was refused: the first field of which something is said gets the focus. */
  readonly error: unknown
  readonly children: ComponentChildren
}

/** A form whose fields the control plane checks. */
export function Form({ label, submit, error, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} aria-label={label} noValidate onSubmit={onSubmit}>
      {children}
    </form>
  )
}
