import type { ComponentChildren } from 'preact'

import { formatNumber } from '../../components/format.tsx'

export interface BarPart {
  readonly look: string
  readonly count: number
}

/** Renders a bar with a length relative to the longest; its value is shown beside it. */
export function Bar({ parts, most }: { readonly parts: readonly BarPart[]; readonly most: number }) {
  let before = 0
  return (
    <svg class="charts-bar" aria-hidden="true">
      {parts.map(({ look, count }) => {
        const x = (before / most) * 100
        before += count
        return count > 0 ? (
          <rect
            key={look}
            class={`charts-${look}`}
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
  /** The title, as in `Customers by segment`. */
  readonly caption: string
  /** The heading of the first column. */
  readonly head: string
  readonly rows: readonly BarRow[]
  /** The count that is 100 %. */
  readonly total: number
}

/** Renders counts as a table with bars. */
export function BarTable({ caption, head, rows, total }: BarTableProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <table class="charts-bars">
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
              <span class="charts-share">
                <Bar parts={[{ look: 'plain', count }]} most={most} />
                {formatShare(count, total)}
              </span>
            </td>
            <td class="number">{formatNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats a share in percent, as in `12 %`; less than 1 but not 0 is `< 1 %`. */
export function formatShare(count: number, total: number): string {
  const percent = total === 0 ? 0 : (count / total) * 100
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`
}
