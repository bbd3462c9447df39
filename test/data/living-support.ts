import * as fc from 'fast-check'

import { loadMoments, type Moments } from '../../src/lab/living/moments.ts'
import type { Dataset } from '../../src/store/dataset.ts'
import { generated, type Wish } from './generated.ts'
import { DAY, nowMs } from './tenants.ts'

/** A tenant whose time can go on. */
export interface LivingTenant {
  readonly dataset: Dataset
  readonly moments: Moments
}

const tenants = new Map<Dataset, Promise<Moments>>()

/** Opens a tenant whose time can go on; all tests of a process share it. */
export async function openLiving(
  seed: number,
  size = 40,
  fixture: Wish['fixture'] = 'default',
): Promise<LivingTenant> {
  const dataset = generated({ seed, size, fixture })
  const moments = tenants.get(dataset) ?? loadMoments(dataset)
  tenants.set(dataset, moments)
  return { dataset, moments: await moments }
}

/** Returns the instant some days after the dataset's time. */
export const daysLater = (days: number): string => new Date(nowMs + Math.round(days * DAY)).toISOString()

/** Any day in a range, as often a late as an early one. */
export const anyDay = (min: number, max: number): fc.Arbitrary<number> =>
  fc.noBias(fc.integer({ min: min * 1440, max: max * 1440 })).map((minutes) => minutes / 1440)
