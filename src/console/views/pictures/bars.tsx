import type { ComponentChildren } from 'preact'

import { numberText } from '../../parts/number.ts'

export interface BarPart {
  readonly look: string
  readonly count: number
}

/** A bar that is as long as its share of the longest; what it shows stands beside it. */
export function Bar({ parts, most }: { readonly parts: readonly BarPart[]; readonly most: number }) {
  let before = 0
  return (
    <svg class="pictures-bar" aria-hidden="true">
      {parts.map(({ look, count }) => {
        const x = (before / most) * 100
        before += count
        return count > 0 ? (
          <rect
            key={look}
            class={`pictures-${look}`}
            x={`${x}%`}
            width={`${Math.max(0.5, (count / most) * 100)}%`}
            height="100%"
          />
        ) : null
      })}
    </svg>
  )
}

export interface BarRow {
  readonly key: string
  readonly label: ComponentChildren
  readonly count: number
}

export interface BarTableProps {
  /** What is counted, by what, as in `Customers by segment`. */
  readonly caption: string
  /** What the first column is. */
  readonly head: string
  readonly rows: readonly BarRow[]
  /** What shares are of. */
  readonly total: number
}

/** Counts as bars, which are a table at the same time. */
export function BarTable({ caption, head, rows, total }: BarTableProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <table class="pictures-bars">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">Share</th>
          <th scope="col" class="number">
            Count
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, count }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>
              <span class="pictures-share">
                <Bar parts={[{ look: 'plain', count }]} most={most} />
                {shareText(count, total)}
              </span>
            </td>
            <td class="number">{numberText(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A share in percent, as in `12 %`; what is little but there is `< 1 %`. */
export function shareText(count: number, total: number): string {
  const percent = total === 0 ? 0 : (count / total) * 100
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`
}
