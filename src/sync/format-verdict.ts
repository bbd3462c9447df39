import type { Verdict } from './verdict.ts'

/** The most causes that a text names. */
const MAX_CAUSES = 10

/** Describes a verdict in a few lines. */
export function formatVerdict({
  correct,
  judgedBy,
  causes,
  pending,
  walks,
  since,
  ...rows
}: Omit<Verdict, 'text'>): string {
  const counts = (['missed', 'stale', 'doubled', 'ghosts'] as const).flatMap((kind) =>
    rows[kind].length > 0 ? `${rows[kind].length} ${kind}` : [],
  )
  const subject = judgedBy === 'copy' ? 'The copy' : 'What was delivered'
  const found = counts.length > 0 ? ` (${counts.join(', ')})` : ''
  const requests = walks.reduce((sum, walk) => sum + walk.requests.length, 0)
  const shown = causes.slice(0, MAX_CAUSES)
  const rest = causes.length - shown.length
  return [
    `${subject} is ${correct ? '' : 'not '}correct${found}.`,
    ...shown.map(({ reason, text }) => `  ${reason}: ${text}`),
    ...(rest > 0 ? [`  and ${rest} more causes`] : []),
    ...(pending > 0 ? [`Rows that have changed since the last run began, and may differ: ${pending}.`] : []),
    ...(judgedBy === 'delivered'
      ? [`No copy was given: this is about what ${requests} requests have delivered.`]
      : []),
    ...(since === undefined ? [] : [`Requests before request ${since} are forgotten.`]),
  ].join('\n')
}
