import { formatNumber } from '../../components/format.tsx'
import { place, setQuery } from '../../place.ts'
import type { Parameter } from './contract.ts'

export interface PagesProps {
  readonly parameters: readonly Parameter[]
  /** The number of records in the response. */
  readonly shown: number
  /** The number of matching records; undefined if the response has no total. */
  readonly total: number | undefined
}

/** Renders the range of records shown, with buttons to page. */
export function Pages({ parameters, shown, total }: PagesProps) {
  const { query } = place.value
  const number = (name: string): number =>
    Number(query.get(name) ?? parameters.find((parameter) => parameter.name === name)?.schema.default ?? 0)
  const [offset, limit] = [number('offset'), number('limit')]
  const [first, last] = [offset + 1, offset + shown].map(formatNumber)
  const text = `${shown === 0 ? 'None' : `${first} to ${last}`}${total === undefined ? '' : ` of ${formatNumber(total)}`}`
  const hasNext = total === undefined ? shown >= limit : offset + shown < total
  const isPaged = limit > 0 && (offset > 0 || hasNext)
  return (
    <p class="data-pages">
      <output>{text}</output>
      {isPaged && (
        <>
          <button
            type="button"
            class="small"
            disabled={offset === 0}
            onClick={() => turn(Math.max(0, offset - limit))}
          >
            Previous page
          </button>
          <button type="button" class="small" disabled={!hasNext} onClick={() => turn(offset + limit)}>
            Next page
          </button>
        </>
      )}
    </p>
  )
}

const turn = (offset: number): void => setQuery({ offset: offset > 0 ? String(offset) : undefined })
