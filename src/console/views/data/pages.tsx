import { numberText } from '../../parts/number.ts'
import { showWith } from '../../parts/query.ts'
import { place } from '../../place.ts'
import type { Parameter } from './contract.ts'

export interface PagesProps {
  readonly parameters: readonly Parameter[]
  /** How many records the answer has. */
  readonly shown: number
  /** How many match; undefined where the answer does not say so. */
  readonly total: number | undefined
}

/** Says which of the records that match are shown, and leads to the others where the operation has pages. */
export function Pages({ parameters, shown, total }: PagesProps) {
  const { query } = place.value
  const number = (name: string): number =>
    Number(query.get(name) ?? parameters.find((parameter) => parameter.name === name)?.schema.default ?? 0)
  const [offset, limit] = [number('offset'), number('limit')]
  const [first, last] = [offset + 1, offset + shown].map(numberText)
  const text = `${shown === 0 ? 'None' : `${first} to ${last}`}${total === undefined ? '' : ` of ${numberText(total)}`}`
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

const turn = (offset: number): void => showWith({ offset: offset > 0 ? String(offset) : undefined })
