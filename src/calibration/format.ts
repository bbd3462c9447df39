import { assumptions } from '../contract/assumptions.ts'
import type { Verdict } from '../contract/calibration.ts'
import { choices } from '../contract/choices.ts'
import { choiceNames, formatSetting } from '../contract/settings.ts'
import { alignColumns, indentColumns, pluralize, shorten } from '../core/words.ts'
import type { CalibrationResult } from './calibrate.ts'
import type { Rate } from './fixed.ts'

const MAX_SUBJECT = 44

export function formatWords({ words }: CalibrationResult): string[] {
  return Object.entries(words).map(
    ([name, list]) =>
      `Words of the tenant that the file stores in ${name}: ${list.join(', ')}. There may be more.`,
  )
}

export function formatResult(result: CalibrationResult): string[] {
  const { verdicts, fixed, calibration, findings, rates, answers } = result
  const counts = order.flatMap((verdict) => {
    const count = choiceNames.filter((name) => verdicts[name].verdict === verdict).length
    return count > 0 ? `${count} ${verdict}` : []
  })
  const shapes = Object.keys(calibration.shapes ?? {})
  return [
    `${pluralize(answers, 'answer')}: ${counts.join(', ')}.`,
    '',
    ...formatTable(verdicts),
    ...formatFixed(fixed),
    ...(shapes.length > 0 ? ['', `Learned shapes: ${shapes.join(', ')}.`] : []),
    ...formatFindings(findings),
    ...formatRates(rates),
  ]
}

const order = ['contradictory', 'otherwise', 'decided', 'confirmed', 'undecided'] as const

function formatTable(verdicts: CalibrationResult['verdicts']): string[] {
  const seen = choiceNames.filter((name) => verdicts[name].answers > 0)
  const sorted = order.flatMap((verdict) => seen.filter((name) => verdicts[name].verdict === verdict))
  const lines = sorted.map((name) => {
    const { assumption } = choices[name]
    const subject = shorten(assumptions[assumption].subject, MAX_SUBJECT)
    const { verdict, value, observed = '' } = verdicts[name]
    const shown = value === undefined ? observed : `${name}=${formatSetting(name, value)}`
    return [assumption, subject, verdict, shown, formatEvidence(verdicts[name])]
  })
  const unseen = choiceNames.filter((name) => verdicts[name].answers === 0)
  return [
    ...(lines.length > 0 ? alignColumns([['', 'subject', 'verdict', 'value', 'seen in'], ...lines]) : []),
    ...(unseen.length > 0 ? [`Nothing seen of ${unseen.join(', ')}.`] : []),
  ]
}

function formatFixed(fixed: CalibrationResult['fixed']): string[] {
  const lines = fixed.map(({ id, subject, observed, answers }) => [
    id,
    shorten(subject, MAX_SUBJECT),
    observed,
    answers > 0 ? pluralize(answers, 'answer') : '',
  ])
  return ['', 'Assumptions that no setting overrides:', ...indentColumns(lines)]
}

const MAX_LISTED = 40

function formatFindings(findings: CalibrationResult['findings']): string[] {
  if (findings.length === 0) return []
  const lines = findings
    .slice(0, MAX_LISTED)
    .map(({ operation, path, observed, answers }) => [
      operation,
      path,
      observed,
      pluralize(answers, 'answer'),
    ])
  const rest = findings.length - lines.length
  return [
    '',
    'Unmodelled: seen, but no assumption has a switch for it.',
    ...indentColumns(lines),
    ...(rest > 0 ? [`  and ${rest} more in the file`] : []),
  ]
}

function formatRates(rates: readonly Rate[]): string[] {
  if (rates.length === 0) return []
  const lines = rates.map(({ subject, value, option }) => [
    subject,
    String(value),
    option ?? 'no option sets this',
  ])
  return ['', 'Sizes, and the options that shape the sandbox alike:', ...indentColumns(lines)]
}

function formatEvidence({ answers, records }: Pick<Verdict, 'answers' | 'records'>): string {
  const counted = records > 0 ? `, ${pluralize(records, 'record')}` : ''
  const isWeak = answers === 1 && records <= 1
  return `${pluralize(answers, 'answer')}${counted}${isWeak ? ' (weak: seen once)' : ''}`
}
