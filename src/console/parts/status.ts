import type { RequestSummary } from '../../control/journal/view.ts'

/** How a request ended, as the journal has it. */
export type Status = RequestSummary['status']

/** What a status tells at a glance. Order: from what went well to what has no end. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx', 'broken', 'pending'] as const
export type StatusClass = (typeof statusClasses)[number]

/** The class of a status; `broken` where the answer broke off. */
export function statusClassOf(status: Status): StatusClass {
  if (typeof status !== 'number') return status === 'pending' ? 'pending' : 'broken'
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status < 500 ? '4xx' : '5xx'
}
