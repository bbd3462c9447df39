import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

import { RequestError, revision, type Call } from '../calls.ts'
import { linkTo } from '../place.ts'
import { Confirm } from './dialog.tsx'
import { moveFocus } from './keys.ts'
import type { Marks } from './schema.ts'
import { type Announcement, type ReadState, useChange } from './use-calls.ts'

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'onClick'> {
  readonly run: () => unknown
  readonly pressed?: boolean
}

export function Button({ run, pressed, ...rest }: ButtonProps) {
  return <button type="button" aria-pressed={pressed} onClick={() => void run()} {...rest} />
}

export interface ActProps<T> extends Omit<ButtonProps, 'run'> {
  readonly call: Call<T>
  readonly done: Announcement<T>
  readonly after?: (() => unknown) | undefined
  readonly ask?:
    | { readonly title: string; readonly verb: string; readonly text: ComponentChildren }
    | undefined
}

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

export function Problem({ error }: { error: unknown }) {
  if (error === undefined) return null
  const errors = error instanceof RequestError ? error.errors : []
  const text = error instanceof Error ? error.message : 'Something went wrong on this page.'
  return (
    <div class="problem" role="alert">
      {!errors.some(({ message }) => text.includes(message)) && <p>{text}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ name, message }) => (
            <li key={name}>
              {name && <code>{name}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export const Loading = ({ isTable = false }: { isTable?: boolean }) => (
  <p class={isTable ? 'empty skeleton' : 'empty'}>Loading…</p>
)

interface LoadedProps<T> {
  readonly state: ReadState<T>
  readonly isTable?: boolean
  readonly children: (value: T) => ComponentChildren
}

export function Loaded<T>({ state: { value, error }, isTable = false, children }: LoadedProps<T>) {
  if (value === undefined && error === undefined) return <Loading isTable={isTable} />
  const again = (
    <button type="button" onClick={() => (revision.value += 1)}>
      Try again
    </button>
  )
  return (
    <>
      <Problem error={error} />
      {value === undefined ? again : children(value)}
    </>
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
  /** `is-inline` puts several on a line, `is-grid` each under its name. */
  readonly look?: 'is-inline' | 'is-grid'
}

export function Facts({ facts, look }: FactsProps) {
  return (
    <dl class={look ? `facts ${look}` : 'facts'}>
      {facts.map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may repeat
        <div key={index} class={typeof value === 'string' && value.length > 60 ? 'is-long' : undefined}>
          <dt>{name}</dt> <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface RequestLinkProps {
  readonly id: number
  readonly children?: ComponentChildren
}

export function RequestLink({ id, children = `request ${id}` }: RequestLinkProps) {
  return <a href={linkTo('traffic', [`${id}`])}>{children}</a>
}

export function Provenance({ of, subject }: { of: Marks; subject: string }) {
  const { 'x-provenance': provenance, 'x-assumption': id } = of
  const label = `${id}: assumption about ${subject}`
  return (
    <small class="hint">
      {provenance}{' '}
      {id !== undefined && (
        <a class="tag odd" href={linkTo('control', ['assumptions'], { id })} aria-label={label}>
          {id}
        </a>
      )}
    </small>
  )
}

interface TabsProps<T extends string> {
  readonly label: string
  readonly tabs: readonly (readonly [name: T, label: string])[]
  readonly chosen: T
  readonly choose: (name: T) => void
  readonly children: ComponentChildren
}

/** Renders tabs over one panel; the keys that move the focus also select. */
export function Tabs<T extends string>({ label, tabs, chosen, choose, children }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void =>
    moveFocus(event, [...(list.current?.querySelectorAll('button') ?? [])])?.click()
  return (
    <div class="tabs">
      <div ref={list} class="row" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={name === chosen ? `${id}-panel` : undefined}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
