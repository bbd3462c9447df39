import type { Malfunction } from '../../../../control/faults/behaviour.ts'
import type { FaultInput } from '../../../../control/faults/input.ts'

/** What each malfunction is, for people. */
export const malfunctionTexts: Readonly<Record<Malfunction, string>> = {
  reset: 'connection reset',
  empty: 'closed without an answer',
  hang: 'no answer until the client gives up',
  truncate: 'the body breaks off half-way',
  malformed: 'the body is broken JSON',
}

/** What a fault does, in words. */
export function effectText(fault: FaultInput): string {
  const { retryAfterSeconds, headers, body, stored, probability } = fault
  return [
    outcomeOf(fault),
    retryAfterSeconds !== undefined && `Retry-After ${retryAfterSeconds} s`,
    headers && `headers ${Object.keys(headers).join(', ')}`,
    body !== undefined && 'a body of its own',
    stored && 'the request is carried out first',
    delayText(fault),
    probability !== undefined && `one time in ${Number((1 / probability).toFixed(1))}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Which requests a fault is for, in words. */
export function aimText({ operationId, method, path }: FaultInput): string {
  return [operationId, method, path].filter(Boolean).join(' ') || 'any operation'
}

function outcomeOf(fault: FaultInput): string | undefined {
  const { status, sequence, repeat, rateLimit, malfunction, reset, profile } = fault
  if (status !== undefined) return `${status}`
  if (sequence) return `${sequence.join(', ')}${repeat ? ', again and again' : ''}`
  if (rateLimit) return `429 beyond ${rateLimit.requests} requests in ${rateLimit.windowSeconds} s`
  if (malfunction ?? reset) return malfunctionTexts[malfunction ?? 'reset']
  return profile && `profile ${profile}`
}

function delayText({ delayMs }: FaultInput): string | undefined {
  if (delayMs === undefined) return undefined
  return typeof delayMs === 'number' ? `after ${delayMs} ms` : `after ${delayMs.min} to ${delayMs.max} ms`
}
