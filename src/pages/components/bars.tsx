import { useState } from 'preact/hooks'

export interface Bar {
  readonly label: string
  readonly parts: readonly (readonly [look: string, name: string, count: number])[]
}

interface BarsProps {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly select: (from: number, to: number) => unknown
}

/** Renders a bar chart, of which a part can be chosen with the pointer; screen readers get its numbers. */
export function Bars({ label, bars, select }: BarsProps) {
  const [brush, setBrush] = useState<readonly [number, number]>()
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, [, , count]) => sum + count, 0)))
  const find = ({ offsetX, currentTarget }: PointerEvent & { readonly currentTarget: Element }): number =>
    Math.max(0, Math.min(bars.length - 1, Math.floor((offsetX / currentTarget.clientWidth) * bars.length)))
  const [from, to] = brush ? [Math.min(...brush), Math.max(...brush)] : [0, -1]
  return (
    <figure class="bars" title={label}>
      <svg
        viewBox={`0 0 ${bars.length} ${most}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setBrush([find(event), find(event)])
        }}
        onPointerMove={(event) => brush && setBrush([brush[0], find(event)])}
        onPointerUp={() => {
          setBrush(undefined)
          if (brush) select(from, to)
        }}
      >
        <rect class="brush" x={from} width={to - from + 1} height={most} />
        {bars.map(({ label: name, parts }, at) => {
          let top = most
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a bar keeps its place while its time changes
            <g key={at}>
              <title>{`${name}: ${format(parts)}`}</title>
              <rect x={at} width={1} height={most} fill="transparent" />
              {parts.map(([look, part, count]) => (
                <rect key={part} class={look} x={at + 0.1} y={(top -= count)} width={0.8} height={count} />
              ))}
            </g>
          )
        })}
      </svg>
      <figcaption class="unseen">
        {label}:{' '}
        {bars
          .flatMap(({ label: name, parts }) => (parts.length > 0 ? `${name}: ${format(parts)}` : []))
          .join('; ')}
      </figcaption>
    </figure>
  )
}

const format = (parts: Bar['parts']): string =>
  parts.map(([, name, count]) => `${count} ${name}`).join(', ') || 'none'
