import type { ComponentChildren } from 'preact'

import { linkTo } from '../place.ts'
import type { Marks } from './schema.ts'

interface RequestLinkProps {
  readonly id: number
  readonly children?: ComponentChildren
}

/** Renders a link to the details of a request. */
export function RequestLink({ id, children = `request ${id}` }: RequestLinkProps) {
  return <a href={linkTo('traffic', [`${id}`])}>{children}</a>
}

interface ProvenanceProps {
  readonly of: Marks
  /** The name of the documented or assumed part, for screen readers. */
  readonly subject: string
}

/** Renders whether something is documented or assumed, with a link to the assumption and its alternatives. */
export function Provenance({ of, subject }: ProvenanceProps) {
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
