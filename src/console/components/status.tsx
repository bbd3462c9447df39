import type { RequestSummary } from '../../journal/view.ts'

/** The outcome of a request, as recorded in the journal. */
export type Status = RequestSummary['status']

/** The classes of statuses. Order: from success to unfinished. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx', 'broken', 'pending'] as const
export type StatusClass = (typeof statusClasses)[number]

/** Classifies a status; `broken` means that the response was cut off. */
export function classifyStatus(status: Status): StatusClass {
  if (typeof status !== 'number') return status === 'pending' ? 'pending' : 'broken'
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status < 500 ? '4xx' : '5xx'
}

const looks: Readonly<Record<StatusClass, string>> = {
  '2xx': 'tag good',
  '3xx': 'tag',
  '4xx': 'tag warn',
  '5xx': 'tag bad',
  broken: 'tag odd',
  pending: 'tag',
}

/** Renders the outcome of a request. */
export function StatusTag({ status }: { readonly status: Status }) {
  return <span class={looks[classifyStatus(status)]}>{status}</span>
}

/** Reports whether a text or number is an outcome that the journal knows. */
export const isStatus = (status: number | string): status is Status =>
  typeof status === 'number' || status !== 'no response'
