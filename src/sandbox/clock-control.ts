import type { Result } from '../core/caller-errors.ts'
import type { Events, EventsOptions } from '../lab/living/timeline-types.ts'
import type { Tick } from '../sessions/time.ts'
import type { TableName } from '../store/tables.ts'

/** A session's clock. Units: instants in UTC with milliseconds. */
export interface ClockControl<Remote extends boolean = false> {
  /** Returns the session's time. @example session.clock.now() // '2026-01-15T12:00:00.000Z' */
  now(): Result<Remote, string>
  /** Moves the clock to an instant. @throws SandboxError `invalid_request` @example session.clock.set('2026-03-01T09:00:00Z') */
  set(instant: string): Result<Remote, void>
  /**
   * Moves the clock forward by an ISO 8601 duration.
   * @returns the number of records that the step has changed, by table; none if the data stands still
   * @throws SandboxError `invalid_request`
   * @example session.clock.advance('P1DT2H')
   */
  advance(duration: string): Result<Remote, Partial<Record<TableName, number>>>
  /**
   * Moves the clock by a duration after each request, or after each request of one operation, so that data can change
   * between two pages; `undefined` stops that.
   * @throws SandboxError `invalid_request`
   * @example session.clock.tick({ by: 'PT3M', on: 'listCustomers' })
   */
  tick(input: Tick | undefined): Result<Remote, void>
  /**
   * Counts the records that change on each day of a range of at most 400 days, by default of the dataset's first 30.
   * @throws SandboxError `invalid_request`
   * @example const { next, items } = await session.clock.events()
   */
  events(query?: EventsOptions): Promise<Events>
  /** Moves the clock back to the dataset's `now`. @example session.clock.reset() */
  reset(): Result<Remote, void>
}
