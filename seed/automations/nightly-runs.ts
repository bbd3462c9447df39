import { DAY, HOUR, startOfDay } from '../calendar/time.ts'
import { RecordKey } from '../random/record-key.ts'
import { NIGHT_HOUR } from './automation-plans.ts'

export interface NightlyRun {
  /** The time from the start of the hour to the start of the run. Units: milliseconds. */
  readonly delayMs: number
  readonly durationMs: number
  readonly hasFailed: boolean
}

export function generateNightlyRun(logId: number, seed: number): NightlyRun {
  const faker = new RecordKey(seed, 'nights', logId).faker('run')
  return {
    delayMs: faker.number.int({ min: 1000, max: 90_000 }),
    durationMs: faker.number.int({ min: 380, max: 4200 }),
    hasFailed: faker.datatype.boolean(0.05),
  }
}

/** Finds the start of the hour of a nightly run; place 1 is the latest. Units: milliseconds since 1970. */
export const findNightlyHour = (place: number, nowMs: number): number =>
  startOfDay(nowMs - (NIGHT_HOUR + 1) * HOUR) + NIGHT_HOUR * HOUR - (place - 1) * DAY
