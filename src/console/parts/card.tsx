import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'

export interface CardProps {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
  /** The heading, to be given the focus. */
  readonly heading?: Ref<HTMLHeadingElement>
}

/** A part of a view, under a heading. */
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
