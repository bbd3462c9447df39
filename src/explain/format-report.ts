import { formatSetting } from '../contract/settings.ts'
import { pluralize, enumerate, shorten, indentColumns } from '../core/words.ts'
import type { AssumptionReport, Evidence, UsedAssumption } from './report.ts'

export function formatReport(report: AssumptionReport, unit: 'request' | 'test' = 'request'): string[] {
  const { requests, documented, observed = [], faulted, forgotten, assumptions } = report
  const names = documented.operations
  const basis = observed.length > 0 ? 'documented rules and observations' : 'documented rules'
  const facts = [
    `${documented.count} by ${basis} only${names.length > 0 ? ` (${enumerate(names)})` : ''}`,
    ...(faulted > 0 ? [`${faulted} answered by faults`] : []),
    ...(forgotten > 0 ? [`${forgotten} more evicted from the journal`] : []),
  ]
  const sentence = `workspace-sandbox: ${pluralize(requests, unit)}, ${facts.join(', ')}.`
  const confirmed = observed.map(({ id, subject, count, evidence }) => [
    id,
    shorten(subject),
    `${count}`,
    evidence ? formatEvidence(evidence) : '',
  ])
  const observations =
    confirmed.length > 0 ? [['observed', 'subject', `${unit}s`, 'seen in'], ...confirmed] : []
  const end = indentColumns(observations)
  if (assumptions.length === 0) return [sentence, ...end]
  const head = ['assumed', 'subject', `${unit}s`, 'operations', 'try']
  const lines = assumptions.map((assumption) => {
    const { id, subject, count, operations } = assumption
    const override = formatOverride(assumption)
    const attempt = override && unit === 'request' ? `--assume ${override}` : override
    return [id, shorten(subject), `${count}`, enumerate(operations, 2), attempt]
  })
  return [sentence, ...indentColumns([head, ...lines]), ...end]
}

export function formatOverride({ name, others }: Pick<UsedAssumption, 'name' | 'others'>): string {
  return name === null || others.length === 0 ? '' : `${name}=${formatSetting(name, others[0])}`
}

export function formatEvidence({ answers, records }: Evidence): string {
  const counted = records > 0 ? `, ${pluralize(records, 'record')}` : ''
  const isWeak = answers === 1 && records <= 1
  return `${pluralize(answers, 'answer')}${counted}${isWeak ? ' (weak: seen once)' : ''}`
}
