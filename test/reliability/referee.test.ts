import { expect, it } from 'vitest'

import { chooseAmount } from './figures.ts'
import { play } from './referee/play.ts'

const SEEDS = chooseAmount(12, 5_000)

it(
  'calls no wrong copy correct, refuses no right one, and gives no false reason',
  async () => {
    const found: string[] = []
    for (let seed = 1; seed <= SEEDS; seed += 1) found.push(...(await play(seed)))
    expect(found).toEqual([])
  },
  chooseAmount(120_000, 7_200_000),
)
