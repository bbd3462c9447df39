import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { Call } from '../calls.ts'
import { Confirm } from './dialog.tsx'
import { Problem } from './problem.tsx'
import { type Announcement, useChange } from './use-calls.ts'

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'onClick'> {
  readonly run: () => unknown
  /** The state of a button that switches something on and off. */
  readonly pressed?: boolean
}

/** Renders a button. */
export function Button({ run, pressed, ...rest }: ButtonProps) {
  return <button type="button" aria-pressed={pressed} onClick={() => void run()} {...rest} />
}

export interface ActProps<T> extends Omit<ButtonProps, 'run'> {
  readonly call: Call<T>
  readonly done: Announcement<T>
  /** Runs after the call has succeeded. */
  readonly after?: (() => unknown) | undefined
  /** The question to confirm first, and what there is to know. */
  readonly ask?:
    | { readonly title: string; readonly verb: string; readonly text: ComponentChildren }
    | undefined
}

/** Renders a button that makes a call, and the error of the call. */
export function Act<T>({ call, done, after, ask, ...rest }: ActProps<T>) {
  const { make, isBusy, error } = useChange()
  const [isAsking, setAsking] = useState(false)
  const act = async (): Promise<void> => {
    if (!isBusy && (await make(call, done))) await after?.()
  }
  return (
    <>
      {/* A disabled button would lose the focus. */}
      <Button aria-disabled={isBusy} run={ask ? () => setAsking(true) : act} {...rest} />
      <Problem error={error} />
      {ask && isAsking && (
        <Confirm title={ask.title} verb={ask.verb} confirm={act} close={() => setAsking(false)}>
          {ask.text}
        </Confirm>
      )}
    </>
  )
}
