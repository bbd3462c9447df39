import { signal } from '@preact/signals'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useId, useState, useLayoutEffect, useRef } from 'preact/hooks'

import {
  RequestError,
  revision,
  said,
  type Call,
  type Announcement,
  type ReadState,
  useChange,
} from '../calls.ts'
import { connection } from '../live.ts'
import { linkTo } from '../place.ts'
import icons from './icons.json' with { type: 'json' }

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

export function Act<T>({ call, done, after, ask, ...rest }: ActProps<T>) {
  const { make, isBusy, error } = useChange()
  const act = async (): Promise<void> => {
    if (isBusy || (ask && !(await confirm(ask)))) return
    if (await make(call, done)) await after?.()
  }
  return (
    <>
      {/* A disabled button would lose the focus. */}
      <Button aria-disabled={isBusy} run={act} {...rest} />
      <Problem error={error} />
    </>
  )
}

/** Focuses the heading of the list or the view, because the focused button disappears with its row. */
export const focusHeading = (): void =>
  document.activeElement?.closest('section, main')?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus()

const asked = signal<(Question & { readonly answer: (isYes: boolean) => void }) | undefined>()

/** Asks in a dialog before an action; resolves to whether it may go on. */
export async function confirm(question: Question): Promise<boolean> {
  const isYes = await new Promise<boolean>((answer) => (asked.value = { ...question, answer }))
  asked.value = undefined
  return isYes
}

export function Questions() {
  if (!asked.value) return null
  const { verb, text, answer } = asked.value
  return (
    <Dialog title={`${verb}?`} verb={verb} look="bad" submit={() => answer(true)} close={() => answer(false)}>
      <p>{text}</p>
    </Dialog>
  )
}

export function Problem({ error }: { error: unknown }) {
  // The last message may cover it.
  useLayoutEffect(() => {
    if (error !== undefined) said.value = ''
  }, [error])
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

/** Renders what was read; until then that it is loading, or the error with a button that tries again. */
export function Loaded<T>(props: { state: ReadState<T>; children: (value: T) => ComponentChildren }) {
  const { value, error } = props.state
  if (value !== undefined) return <>{props.children(value)}</>
  if (error === undefined) return <p class="empty">Loading…</p>
  return (
    <>
      <Problem error={error} />
      <Button run={() => (revision.value += 1)}>Try again</Button>
    </>
  )
}

export function Folded(props: { title: string; isOpen?: boolean; children: () => ComponentChildren }) {
  const [isOpen = false, setOpen] = useState(props.isOpen)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{props.title}</summary>
      {isOpen && props.children()}
    </details>
  )
}

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
  readonly facts: Readonly<Record<string, ComponentChildren>>
  /** `fields` puts each value under its name. */
  readonly look?: 'facts' | 'fields'
}

export function Facts({ facts, look = 'facts' }: FactsProps) {
  return (
    <dl class={look}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} class={typeof value === 'string' && value.length > 60 ? 'is-wide' : undefined}>
          <dt>{name}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows the first of some items, and a button that shows as many again, or else all. */
export function useMore<T>(items: readonly T[], first: number, step = Infinity) {
  const [count, setCount] = useState(first)
  const rest = items.length - count
  const more = rest > 0 && (
    <Button run={() => setCount(count + step)}>Show {Math.min(rest, step)} more</Button>
  )
  return [items.slice(0, count), more] as const
}

export const RequestLink = ({ id }: { id: number }) => (
  <a href={linkTo('traffic', [`${id}`])}>{`request ${id}`}</a>
)

interface FormProps {
  /** Names the form, unless it is all of a dialog. */
  readonly label?: string
  readonly submit: () => unknown
  /** The error of the last submission; the first invalid field gets the focus. */
  readonly error?: unknown
  readonly children: ComponentChildren
}

export function Form({ label, submit, error, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [error])
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} class="form" aria-label={label} noValidate onSubmit={onSubmit}>
      {children}
    </form>
  )
}

interface DialogProps extends Omit<FormProps, 'label'> {
  readonly title: string
  readonly verb: string
  readonly look?: 'primary' | 'bad'
  readonly isDisabled?: boolean
  readonly more?: ComponentChildren
  readonly close: () => void
}

/**
 * Renders a modal dialog, open while it is rendered; the focus then returns to where it was. The first control gets the
 * focus.
 */
export function Dialog(props: DialogProps) {
  const { title, verb, look = 'primary', isDisabled, more, close, children, ...form } = props
  const heading = useId()
  return (
    <dialog {...useModal(close)} aria-labelledby={heading}>
      <Form {...form}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div class="row">
          <button type="submit" class={look} disabled={isDisabled}>
            {verb}
          </button>
          {more}
          <Button run={close}>Cancel</Button>
        </div>
      </Form>
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

export type IconName = keyof typeof icons

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
      >
        <path d={icons[name]} />
      </svg>
    </span>
  )
}
