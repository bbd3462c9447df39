import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

/** Units: CSS pixels. */
const HEIGHT = 128

/** A column, from the bottom up. */
export interface Column {
  readonly key: string
  /** What it says to who points at it. */
  readonly title: string
  readonly parts: readonly { readonly look: string; readonly count: number }[]
}

export interface ColumnsProps {
  readonly title: string
  /** The picture in a sentence or two. */
  readonly summary: string
  readonly columns: readonly Column[]
  /** What stands below the columns. Order: from left to right. */
  readonly ticks: readonly string[]
  /** Where that stands: evenly spread without, below the right edge of each column with. */
  readonly hasEdges?: boolean
  /** The same as a table. */
  readonly table: ComponentChildren
}

/** Columns side by side, with what they show in words and as a table. */
export function Columns({ title, summary, columns, ticks, hasEdges = false, table }: ColumnsProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const most = Math.max(1, ...columns.map(heightOf))
  const width = 100 / columns.length
  const gap = width * 0.12
  return (
    <div class="pictures-columns">
      <svg
        class="pictures-plot"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
        height={HEIGHT}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{summary}</desc>
        <line class="pictures-grid" x1="0" x2="100%" y1="0.5" y2="0.5" />
        <line class="pictures-grid" x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {columns.map((column, at) => (
          <g key={column.key}>
            <title>{column.title}</title>
            {stacked(column, most).map(({ look, top, height }) => (
              <rect
                key={look}
                class={`pictures-${look}`}
                x={`${at * width + gap / 2}%`}
                width={`${width - gap}%`}
                y={top}
                height={height}
              />
            ))}
          </g>
        ))}
        <line class="pictures-base" x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        <text class="pictures-most" x="2" y="12">
          {most}
        </text>
      </svg>
      <div class={hasEdges ? 'pictures-ticks is-edges' : 'pictures-ticks'} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>as table</summary>
        {isOpen && table}
      </details>
    </div>
  )
}

function heightOf({ parts }: Column): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

/** The parts of a column one above the other; each that has anything is at least a line. */
function stacked({ parts }: Column, most: number) {
  let bottom = HEIGHT - 1
  return parts
    .filter(({ count }) => count > 0)
    .map(({ look, count }) => {
      const height = Math.max(1.5, (count / most) * (HEIGHT - 2))
      bottom -= height
      return { look, top: bottom, height }
    })
}
