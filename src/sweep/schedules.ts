import type { OperationId } from '../resources/index.ts'
import { listEvents } from './events.ts'
import type { Schedule, SweepEvent } from './schedule.ts'

/** The parts of fast-check that `schedules` uses. */
export interface FastCheck<A> {
  subarray(events: SweepEvent[], lengths: { readonly minLength: number; readonly maxLength: number }): A
}

/** Which schedules to draw. */
export interface ScheduleChoice {
  /**
   * The events to combine, such as those that a sweep has found to make a difference. Default: events at the first three
   * requests of each list of customers, signals and meetings in the first and in an incremental run.
   */
  readonly events?: Schedule | undefined
  /** The most events of a schedule. Default: 4. @example 6 */
  readonly maxEvents?: number | undefined
}

const lists: readonly OperationId[] = ['listCustomers', 'listSignals', 'listCustomerMeetings']

/** Lists events that can happen to most clients. */
function listUsualEvents(): readonly SweepEvent[] {
  const trace = (['first', 'incremental'] as const).flatMap((run) =>
    lists.flatMap((operationId) =>
      [1, 2, 3].map((occurrence) => ({
        run,
        operationId,
        path: '',
        query: '',
        occurrence,
        method: 'GET',
        target: '',
      })),
    ),
  )
  return listEvents(trace, {}).map(({ path: _path, query: _query, ...event }) => event)
}

/** Creates an arbitrary of fast-check for schedules; it shrinks to fewer events. */
export function createArbitrary<A>(fc: FastCheck<A>, { events, maxEvents = 4 }: ScheduleChoice): A {
  const all = [...(events ?? listUsualEvents())]
  // Down to none, because fast-check would otherwise never drop the last event.
  return fc.subarray(all, { minLength: 0, maxLength: Math.min(maxEvents, all.length) })
}
