import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

/** Units: CSS pixels. */
const HEIGHT = 128

/** A column, from the bottom up. */
export interface Column {
  readonly key: string
  /** The tooltip. */
  readonly title: string
  readonly parts: readonly { readonly look: string; readonly count: number }[]
}

export interface ColumnsProps {
  readonly title: string
  /** A description of the chart in a sentence or two. */
  readonly summary: string
  readonly columns: readonly Column[]
  /** The labels below the columns. Order: from left to right. */
  readonly ticks: readonly string[]
  /** Places the labels below the right edge of each column instead of spreading them evenly. */
  readonly hasEdges?: boolean
  /** The same as a table. */
  readonly table: ComponentChildren
}

/** Renders a column chart, with a description and a table of its values. */
export function Columns({ title, summary, columns, ticks, hasEdges = false, table }: ColumnsProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const most = Math.max(1, ...columns.map(getHeight))
  const width = 100 / columns.length
  const gap = width * 0.12
  return (
    <div class="charts-columns">
      <svg
        class="charts-plot"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
        height={HEIGHT}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{summary}</desc>
        <line class="charts-grid" x1="0" x2="100%" y1="0.5" y2="0.5" />
        <line class="charts-grid" x1="0" x2="100%" y1={HEIGHT / 2} y2={HEIGHT / 2} />
        {columns.map((column, at) => (
          <g key={column.key}>
            <title>{column.title}</title>
            {stackParts(column, most).map(({ look, top, height }) => (
              <rect
                key={look}
                class={`charts-${look}`}
                x={`${at * width + gap / 2}%`}
                width={`${width - gap}%`}
                y={top}
                height={height}
              />
            ))}
          </g>
        ))}
        <line class="charts-base" x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        <text class="charts-most" x="2" y="12">
          {most}
        </text>
      </svg>
      <div class={hasEdges ? 'charts-ticks is-edges' : 'charts-ticks'} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show as table</summary>
        {isOpen && table}
      </details>
    </div>
  )
}

function getHeight({ parts }: Column): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

/** Stacks the parts of a column; each non-empty one is at least a line. */
function stackParts({ parts }: Column, most: number) {
  let bottom = HEIGHT - 1
  return parts
    .filter(({ count }) => count > 0)
    .map(({ look, count }) => {
      const height = Math.max(1.5, (count / most) * (HEIGHT - 2))
      bottom -= height
      return { look, top: bottom, height }
    })
}
