import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'

export interface CardProps {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
  /** Receives the heading, to focus it. */
  readonly heading?: Ref<HTMLHeadingElement>
}

/** Renders a section with a heading. */
export function Card({ title, heading = null, children }: CardProps) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
