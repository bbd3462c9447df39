import { chooseAmount } from '../reliability/figures.ts'
import { type Generated, generated } from './generated.ts'

export { now } from './generated.ts'

/** A generated tenant. */
export interface Dataset extends Generated {
  /** Describes the seed and the size, for titles of tests. */
  readonly name: string
  readonly seed: number
  readonly size: number
}

/** Small, medium and large tenants of three seeds, with the default fixture. */
export const datasets: readonly Dataset[] = [1, 42, 2026].flatMap((seed) =>
  chooseAmount([25, 300], [25, 300, 2000]).map((size) => ({
    name: `seed ${seed}, ${size} customers`,
    seed,
    size,
    ...generated({ seed, size }),
  })),
)
