import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface CardProps {
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
