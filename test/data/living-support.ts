import * as fc from 'fast-check'

import { loadContent } from '../../seed/dataset/content.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { loadMoments } from '../../src/lab/living/load-moments.ts'
import type { Moments } from '../../src/lab/living/moments.ts'
import type { DatasetKey } from '../../src/store/dataset-key.ts'
import { createDataset, type Dataset } from '../../src/store/dataset.ts'
import { DAY, now, nowMs } from './tenants.ts'

/** A tenant whose time can go on. */
export interface LivingTenant {
  readonly dataset: Dataset
  readonly moments: Moments
}

/** Generates a tenant whose time can go on. */
export async function generateLiving(options: Partial<DatasetKey>): Promise<LivingTenant> {
  const key: DatasetKey = { seed: 42, size: 40, fixture: 'default', now, clock: 'frozen', ...options }
  const dataset = createDataset(key, await loadContent(key), createTexts(key.seed))
  return { dataset, moments: await loadMoments(dataset) }
}

const tenants = new Map<string, Promise<LivingTenant>>()

/** Opens a tenant of a seed and size whose time can go on; all tests of a process share it. */
export function openLiving(seed: number, size = 40): Promise<LivingTenant> {
  const name = `${seed} ${size}`
  const tenant = tenants.get(name) ?? generateLiving({ seed, size })
  tenants.set(name, tenant)
  return tenant
}

/** Returns the same tenant as nobody has looked at it yet. */
export async function reopen({ dataset }: LivingTenant): Promise<LivingTenant> {
  return { dataset, moments: await loadMoments(dataset) }
}

/** Returns the instant some days after the dataset's time. */
export const daysLater = (days: number): string => new Date(nowMs + Math.round(days * DAY)).toISOString()

/** Any day in a range, as often a late as an early one. */
export const anyDay = (min: number, max: number): fc.Arbitrary<number> =>
  fc.noBias(fc.integer({ min: min * 1440, max: max * 1440 })).map((minutes) => minutes / 1440)
