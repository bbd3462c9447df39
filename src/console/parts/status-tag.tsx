import { type Status, type StatusClass, statusClassOf } from './status.ts'

const looks: Readonly<Record<StatusClass, string>> = {
  '2xx': 'tag good',
  '3xx': 'tag',
  '4xx': 'tag warn',
  '5xx': 'tag bad',
  broken: 'tag odd',
  pending: 'tag',
}

/** A request's status, or how it ended without one. */
export function StatusTag({ status }: { readonly status: Status }) {
  return <span class={looks[statusClassOf(status)]}>{status}</span>
}
