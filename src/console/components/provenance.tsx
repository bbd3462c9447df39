import { linkTo } from '../place.ts'
import type { Marks } from './schema.ts'

export interface ProvenanceProps {
  readonly of: Marks
  /** The name of the documented or assumed part, for screen readers. */
  readonly subject: string
}

/** Renders whether something is documented or assumed, with a link to the assumption and its alternatives. */
export function Provenance({ of, subject }: ProvenanceProps) {
  const id = of['x-assumption']
  return (
    <small class="hint">
      {of['x-provenance']}{' '}
      {id !== undefined && (
        <a
          class="tag odd"
          href={linkTo('control', ['assumptions'], { id })}
          aria-label={`${id}: assumption about ${subject}`}
        >
          {id}
        </a>
      )}
    </small>
  )
}
