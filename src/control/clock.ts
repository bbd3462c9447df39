import type { DatasetKey } from '../store/dataset.ts'
import type { Clock } from '../store/session.ts'

/** The machine's time. The only place that reads it. Units: an instant in UTC with milliseconds. */
export function systemTime(): string {
  return new Date().toISOString()
}

/** The clock of a session over a dataset: it stands at the dataset's `now`, or runs with the machine's. */
export function clockOf(dataset: () => { readonly key: Pick<DatasetKey, 'clock' | 'now'> }): Clock {
  return () => {
    const { clock, now } = dataset().key
    return clock === 'system' ? systemTime() : now
  }
}
