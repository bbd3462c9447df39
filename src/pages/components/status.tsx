import type { RequestSummary } from '../../testing/journal/view.ts'

export type Status = RequestSummary['status'] | 'no response'

/** The colour of each class of statuses. Order: from success to unfinished. */
const colours = {
  '2xx': 'good',
  '3xx': 'accent',
  '4xx': 'warn',
  '5xx': 'bad',
  broken: 'odd',
  pending: 'quiet',
} as const
export type StatusClass = keyof typeof colours

export const statusClasses: readonly StatusClass[] = ['2xx', '3xx', '4xx', '5xx', 'broken', 'pending']

/** Classifies a status; `broken` means that the response was cut off. */
export function classifyStatus(status: Status): StatusClass {
  if (typeof status !== 'number') return status === 'pending' ? 'pending' : 'broken'
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status < 500 ? '4xx' : '5xx'
}

export function StatusTag({ status }: { status: Status }) {
  return <span class={`tag ${colours[classifyStatus(status)]}`}>{status}</span>
}
