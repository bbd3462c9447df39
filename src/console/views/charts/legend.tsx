import { type StatusClass, statusClasses } from '../../components/status.tsx'
import { linkTo } from '../../place.ts'
import type { ByClass } from './timeline.ts'

/** The label of each class of statuses. */
export const classNames: Readonly<Record<StatusClass, string>> = {
  '2xx': 'succeeded',
  '3xx': 'redirected',
  '4xx': 'rejected',
  '5xx': 'failed',
  broken: 'cut off',
  pending: 'pending',
}

/** Explains the colours and hatches, with the number of requests of each class and a link to them. */
export function Legend({ byClass }: { readonly byClass: ByClass }) {
  return (
    <ul class="charts-legend" aria-label="Statuses">
      {statusClasses
        .filter((name) => byClass[name])
        .map((name) => (
          <li key={name}>
            <svg class="charts-swatch" aria-hidden="true">
              <rect class={`charts-${name}`} width="100%" height="100%" />
            </svg>
            <a href={linkTo('requests', [], new URLSearchParams({ status: name }))}>
              {byClass[name]} {classNames[name]}
            </a>{' '}
            {/^\d/.test(name) && <span class="hint">{name}</span>}
          </li>
        ))}
    </ul>
  )
}

/** Defines the patterns that fill the columns: errors are hatched, so that colour is not the only cue. */
export function Hatches() {
  return (
    <svg class="charts-hatches" aria-hidden="true">
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
            <rect class={`charts-hatch-${name}`} width="6" height="6" />
            <line class="charts-hatch-line" y2="6" />
          </pattern>
        ))}
      </defs>
    </svg>
  )
}
