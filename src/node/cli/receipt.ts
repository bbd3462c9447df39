import * as z from 'zod'

import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { InvalidContent } from '../../core/json-text.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { asSentence } from '../../core/words.ts'
import { EventKind } from '../../sandbox/sweep/events.ts'
import { SweepReason } from '../../sandbox/sweep/play.ts'
import { parseSchedules, Schedule } from '../../sandbox/sweep/schedule.ts'
import { FutureMode } from '../../store/dataset-key.ts'
import { FaultInput } from '../../testing/faults/fault.ts'
import { ScenarioInput } from '../../testing/scenarios/scenario.ts'
import { readJsonFile } from '../server/option-files.ts'
import { usageError } from './failure.ts'

/** All that a sweep needs to run again, and how it ended. */
export const Receipt = lazyObject(() => ({
  version: z.string(),
  seed: z.int(),
  size: z.int(),
  fixture: z.unknown(),
  now: z.string(),
  future: FutureMode,
  assumptions: z.record(z.string(), z.unknown()),
  command: z.array(z.string()).min(1),
  full: z.string().optional(),
  copy: z.string().optional(),
  allow: z.array(SweepReason).optional(),
  events: z.array(EventKind).optional(),
  fault: z.array(FaultInput).optional(),
  scenario: z.array(ScenarioInput).optional(),
  schedules: z.int(),
  runs: z.int(),
  runTimeout: z.int(),
  passed: z.boolean(),
  tried: z.int(),
  isDeterministic: z.boolean(),
  /** The schedule that was tried alone, or has failed. */
  schedule: Schedule.optional(),
  /** The events of the failing schedule, in the order in which they happened. */
  order: z.array(z.object({ run: z.string(), request: z.int(), event: z.unknown() })).optional(),
  text: z.string(),
}))
export type Receipt = z.infer<typeof Receipt>

// A fixture may be in it.
const MAX_MIB = 100

/** Reads the receipt that `exec --sweep --json` has printed, or schedules alone. @throws CommandError that names the file */
export async function readReplay(
  path: string,
): Promise<{ readonly receipt?: Receipt; readonly schedules: readonly Schedule[] | undefined }> {
  try {
    const content = await readJsonFile(path, MAX_MIB)
    if (Array.isArray(content)) return { schedules: parseSchedules(content) }
    const receipt = parseInput(Receipt, content)
    return { receipt, schedules: receipt.schedule && [receipt.schedule] }
  } catch (error) {
    if (!(error instanceof SandboxError || error instanceof InvalidContent)) throw error
    const fact = asSentence(error.message)
    throw usageError(`Cannot use --replay ${path}: ${fact} Name what --sweep --json has printed.`)
  }
}
