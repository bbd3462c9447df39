import { expect, it } from 'vitest'

import { chooseAmount } from './figures.ts'
import { play } from './referee/play.ts'

const SEEDS = chooseAmount(12, 5_000)

/** Seeds beyond the first few whose verdicts were once wrong. */
const FOUND = [831, 980, 995, 1_165, 1_578, 2_021, 2_130, 2_628, 5_200, 7_451, 9_043]

/** Seeds that notice a break of the judge which the first few do not. */
const NOTICING = [
  // A look counts as a read, because the copy has a row that an earlier response has shown, too.
  24,
  // Pages that are asked for in any order begin several walks.
  81,
  // A walk begins with a request whose token was refused.
  458,
]

/** Seeds of the wide world, the first few and those whose verdicts or reasons were once wrong. */
const WIDE = [409, 792, 1_123, 1_846]

/** Seeds of the wide world that notice a break of the judge which the narrow world does not. */
const NOTICING_WIDE = [
  // A request that was refused with 401 ends a walk.
  8,
  // A whole list in one page does not count as a walk.
  40,
]

it(
  'calls no wrong copy correct, refuses no right one, and gives no false reason',
  async () => {
    const found: string[] = []
    const seeds = new Set([...Array.from({ length: SEEDS }, (_, at) => at + 1), ...FOUND, ...NOTICING])
    for (const seed of seeds) found.push(...(await play(seed)))
    const wide = Array.from({ length: chooseAmount(10, 3_000) }, (_, at) => at + 1)
    for (const seed of new Set([...wide, ...WIDE, ...NOTICING_WIDE])) found.push(...(await play(seed, true)))
    expect(found).toEqual([])
  },
  chooseAmount(120_000, 7_200_000),
)
