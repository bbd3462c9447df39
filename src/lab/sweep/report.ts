import { pluralize } from '../../core/words.ts'
import type { Failure } from './play.ts'
import { describeEvent, type Schedule, type SweepEvent } from './schedule.ts'

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{ ${fields.map(([name, field]) => `${formatName(name)}: ${formatValue(field)}`).join(', ')} }`
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  const text = JSON.stringify(value)
  return text.includes("'") || text.includes('\\') ? text : `'${text.slice(1, -1)}'`
}

const formatName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

export function formatTest(schedule: Schedule): string {
  const events = schedule.map((event) => `        ${formatValue(event)},`)
  return [
    'Paste this test; `options` are those of this sweep:',
    '',
    "  test('survives the schedule that a sweep has found', async () => {",
    '    await sweep({',
    '      ...options,',
    ...(events.length === 0 ? ['      schedule: [],'] : ['      schedule: [', ...events, '      ],']),
    '    })',
    '  })',
  ].join('\n')
}

export function formatFailure(
  schedule: Schedule,
  { text }: Failure,
  tried: number,
  difference: string | undefined,
  isSmallest: boolean,
  test: string,
): string {
  const passed = pluralize(tried - 1, 'schedule')
  const smallest = isSmallest ? ` It is the smallest: ${passed} before it passed.` : ''
  const claim =
    difference === undefined
      ? smallest
      : ` The client is not deterministic, so a smaller schedule may break it: ${difference}.`
  const head =
    schedule.length === 0
      ? 'The client fails although nothing has happened to it.'
      : `The client fails under a schedule of ${pluralize(schedule.length, 'event')}.${claim}`
  return [head, ...schedule.map((event) => `  ${describeEvent(event)}`), '', text, '', test].join('\n')
}

export function nameAction({ kill, fault, scenario, advance }: SweepEvent): string {
  const { on: _on, ...options } = scenario ?? {}
  return formatValue(scenario ? options : (fault ?? kill ?? advance))
}
