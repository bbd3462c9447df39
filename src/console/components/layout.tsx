import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface CardProps {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}

/** Renders a section with a heading, which code may focus. */
export function Card({ title, children }: CardProps) {
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
  readonly facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
  /** `is-inline` puts several on a line, `is-grid` each under its name. */
  readonly look?: 'is-inline' | 'is-grid'
}

/** Renders names and values. */
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
