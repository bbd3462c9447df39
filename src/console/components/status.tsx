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

/** The colours of the classes; not all of them are also those of a tag. */
const colours: Readonly<Record<StatusClass, string>> = {
  '2xx': 'good',
  '3xx': 'accent',
  '4xx': 'warn',
  '5xx': 'bad',
  broken: 'odd',
  pending: 'quiet',
}

/** Returns the CSS colour of a class. */
export const getColour = (name: StatusClass): string => `var(--${colours[name]})`

/** Renders the outcome of a request. */
export function StatusTag({ status }: { readonly status: Status }) {
  return <span class={`tag ${colours[classifyStatus(status)]}`}>{status}</span>
}

/** Reports whether a text or number is an outcome that the journal knows. */
export const isStatus = (status: number | string): status is Status =>
  typeof status === 'number' || status !== 'no response'
