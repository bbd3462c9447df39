import { type StatusClass, statusClasses } from '../../parts/status.ts'
import { addressOf } from '../../place.ts'
import type { ByClass } from './timeline.ts'

/** What each class of statuses is called. */
export const classNames: Readonly<Record<StatusClass, string>> = {
  '2xx': 'succeeded',
  '3xx': 'redirected',
  '4xx': 'refused',
  '5xx': 'failed',
  broken: 'broken off',
  pending: 'pending',
}

/** What the colours and hatches say, and how many requests there are of each; leads to them. */
export function Legend({ byClass }: { readonly byClass: ByClass }) {
  return (
    <ul class="pictures-legend" aria-label="Statuses">
      {statusClasses
        .filter((name) => byClass[name])
        .map((name) => (
          <li key={name}>
            <svg class="pictures-swatch" aria-hidden="true">
              <rect class={`pictures-${name}`} width="100%" height="100%" />
            </svg>
            <a href={addressOf('requests', [], new URLSearchParams({ status: name }))}>
              {byClass[name]} {classNames[name]}
            </a>{' '}
            {/^\d/.test(name) && <span class="hint">{name}</span>}
          </li>
        ))}
    </ul>
  )
}

/** What fills the columns: hatched where something went wrong, so that colour says nothing alone. */
export function Hatches() {
  return (
    <svg class="pictures-hatches" aria-hidden="true">
      <defs>
        {(['4xx', '5xx', 'broken'] as const).map((name, at) => (
          <pattern
            key={name}
            id={`hatch-${name}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${[45, -45, 0][at]})`}
          >
            <rect class={`pictures-hatch-${name}`} width="6" height="6" />
            <line class="pictures-hatch-line" y2="6" />
          </pattern>
        ))}
      </defs>
    </svg>
  )
}
