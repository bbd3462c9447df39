import { indent, pluralize } from '../../core/words.ts'
import { type Cause, countKinds } from '../../lab/sync/verdict.ts'
import { describeEvent, type Schedule } from './schedule.ts'

export function formatTest(schedule: Schedule): string {
  const events = schedule.map((event) => `        ${JSON.stringify(event)}`).join(',\n')
  return [
    'Paste this test; `options` are those of this sweep:',
    '',
    "  test('survives the schedule that a sweep has found', async () => {",
    '    await sweep({',
    '      ...options,',
    `      schedule: [${events && `\n${events}\n      `}],`,
    '    })',
    '  })',
  ].join('\n')
}

/** The lines for events, and for causes, so that a summary fits on a terminal. */
const MAX_LINES = 4

/** Lists the first lines, indented, and the number of the others. */
function listFirst(lines: readonly string[], noun: string): string[] {
  if (lines.length <= MAX_LINES) return indent(lines)
  const shown = lines.slice(0, MAX_LINES - 1)
  return [...indent(shown), `  and ${lines.length - shown.length} more ${noun}`]
}

/** Counts what is wrong with a copy, and names the first causes. */
export function formatCauses(causes: readonly Cause[]): string {
  const lines = causes.map(({ reason, text }) => `${reason}: ${text}`)
  return [`(${countKinds(causes)}).`, ...listFirst(lines, 'causes')].join('\n')
}

/** @param claim what is known about smaller schedules */
export function formatFailure(schedule: Schedule, text: string, claim: string, test: string): string {
  const head =
    schedule.length === 0
      ? 'The client fails although nothing has happened to it.'
      : `The client fails under a schedule of ${pluralize(schedule.length, 'event')}.${claim}`
  return [head, ...listFirst(schedule.map(describeEvent), 'events'), '', text, '', test].join('\n')
}

export interface SlowSchedule {
  readonly schedule: Schedule
  readonly quietRuns: number
}

/** @param others the number of other schedules after which the client was slow */
export function formatSlow({ schedule, quietRuns }: SlowSchedule, others: number): string {
  const under = schedule.map(describeEvent).join('; ') || 'even without any event'
  const more = others > 0 ? ` (and ${others} more)` : ''
  return `It converges after ${quietRuns} quiet runs, not the first, under${more}: ${under}.`
}
