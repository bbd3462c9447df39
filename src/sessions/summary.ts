import * as z from 'zod'

import { lazyObject } from '../core/lazy-schema.ts'
import { version } from '../core/version.ts'
import { FutureMode } from '../store/dataset-key.ts'
import type { Dataset } from '../store/dataset.ts'
import { identify } from './fingerprint.ts'
import type { Session } from './session.ts'

export const Summary = lazyObject(() => ({
  status: z.literal('ok'),
  version: z.string(),
  seed: z.int(),
  size: z.int(),
  fixture: z.string(),
  now: z.string(),
  /** Whether the data changes as the session's time passes. */
  future: FutureMode,
}))
export type Summary = z.infer<typeof Summary>

/** The same with a fingerprint of the dataset: equal fingerprints mean equal data. */
export const Health = Summary.extend({ fingerprint: z.string() })
export type Health = z.infer<typeof Health>

/** Summarizes a session of the sandbox with this dataset. */
export function summarize({ key }: Dataset, { clock }: Session): Summary {
  const { seed, size, fixture } = key
  return { status: 'ok', version, seed, size, fixture, now: clock.now(), future: clock.future }
}

export async function readHealth(dataset: Dataset, session: Session): Promise<Health> {
  return { ...summarize(dataset, session), fingerprint: await identify(session.data.dataset) }
}

/** A session as one document, in outline; the sandbox validates the whole of it. */
export const StateDocument = z
  .looseObject({
    format: z.int(),
    version: z.string(),
    dataset: z.looseObject({ seed: z.int(), size: z.int(), fixture: z.string(), now: z.string() }),
    clock: z.looseObject({ now: z.string() }),
    changes: z.array(z.looseObject({ table: z.string(), id: z.int() })),
  })
  .meta({ id: 'StateDocument' })
export type StateDocument = z.infer<typeof StateDocument>
