import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useId, useState, useLayoutEffect, useRef } from 'preact/hooks'

import { RequestError, revision, type Call, type Announcement, type ReadState, useChange } from '../calls.ts'
import { connection } from '../live.ts'
import { linkTo } from '../place.ts'
import { shapes } from './icons.ts'

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'onClick'> {
  readonly run: () => unknown
  readonly pressed?: boolean
}

export function Button({ run, pressed, ...rest }: ButtonProps) {
  return <button type="button" aria-pressed={pressed} onClick={() => void run()} {...rest} />
}

/** The question of a dialog before an action: the action's verb is its title and its button. */
export interface Question {
  readonly verb: string
  readonly text: ComponentChildren
}

interface ActProps<T> extends Omit<ButtonProps, 'run'> {
  readonly call: Call<T>
  readonly done: Announcement<T>
  readonly after?: (() => unknown) | undefined
  readonly ask?: Question | undefined
}

/** Renders a button that makes a change, after a question if it has one. */
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
      {ask && isAsking && <Confirm {...ask} confirm={act} close={() => setAsking(false)} />}
    </>
  )
}

export function Confirm(props: Question & { readonly confirm: () => unknown; readonly close: () => void }) {
  const { verb, text, confirm, close } = props
  const submit = (): unknown => {
    close()
    return confirm()
  }
  return (
    <Dialog title={`${verb}?`} verb={verb} look="bad" onClose={close} onSubmit={submit}>
      <p>{text}</p>
    </Dialog>
  )
}

export function Problem({ error }: { error: unknown }) {
  if (error === undefined) return null
  const errors = error instanceof RequestError ? error.errors : []
  const text = error instanceof Error ? error.message : 'Something went wrong on this page.'
  return (
    <div class="problem" role="alert">
      {!errors.some(({ message }) => text.includes(message)) && <p>{text}</p>}
      {errors.map(({ name, message }) => (
        <p key={name}>
          {name && <code>{name}</code>} {message}
        </p>
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  readonly state: ReadState<T>
  readonly children: (value: T) => ComponentChildren
}

/** Renders what was read; until then that it is loading, or the error with a button that tries again. */
export function Loaded<T>({ state: { value, error }, children }: LoadedProps<T>) {
  if (value === undefined && error === undefined) return <p class="empty loading">Loading…</p>
  return (
    <>
      <Problem error={error} />
      {value === undefined ? <Button run={() => (revision.value += 1)}>Try again</Button> : children(value)}
    </>
  )
}

interface FoldedProps {
  readonly title: string
  readonly isOpen?: boolean
  readonly children: () => ComponentChildren
}

/** Renders a part that is folded at first, and only rendered once it is opened. */
export function Folded({ title, isOpen: isOpenAtFirst = false, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  )
}

/** Renders a section with a heading, which code may focus. */
export function Card({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

interface FactsProps {
  /** Order: as shown; a name may occur several times. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[]
  /** `line` puts several on a line, `grid` each under its name. */
  readonly look?: keyof typeof looks
}

const looks = { list: 'facts is-list', line: 'facts', grid: 'facts fields' } as const

export function Facts({ facts, look = 'list' }: FactsProps) {
  return (
    <dl class={looks[look]}>
      {facts.map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may repeat
        <div key={index} class={typeof value === 'string' && value.length > 60 ? 'is-wide' : undefined}>
          <dt>{name}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Scrolls an element into sight, as its `ref`. */
export const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })

export function RequestLink({
  id,
  children = `request ${id}`,
}: {
  id: number
  children?: ComponentChildren
}) {
  return <a href={linkTo('traffic', [`${id}`])}>{children}</a>
}

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

export type IconName = keyof typeof shapes

export function Icon({ name }: { name: IconName }) {
  return (
    <span class="icon" aria-hidden="true">
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
        dangerouslySetInnerHTML={{ __html: shapes[name] }}
      />
    </span>
  )
}
