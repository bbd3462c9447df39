import type { Breakage } from '../../../testing/faults/effects.ts'
import type { FaultInput } from '../../../testing/faults/fault.ts'

export const malfunctionLabels: Readonly<Record<Breakage, string>> = {
  reset: 'connection reset',
  empty: 'connection closed without a response',
  hang: 'no response until the client times out',
  truncate: 'body cut off halfway',
  malformed: 'body is malformed JSON',
}

export function describeEffect(fault: FaultInput): string {
  const { retryAfterSeconds, headers, body, stored, probability } = fault
  return [
    describeOutcome(fault),
    retryAfterSeconds !== undefined && `Retry-After ${retryAfterSeconds} s`,
    headers && `headers ${Object.keys(headers).join(', ')}`,
    body !== undefined && 'custom body',
    stored && 'request is processed first',
    describeDelay(fault),
    probability !== undefined && `1 in ${Number((1 / probability).toFixed(1))} requests`,
  ]
    .filter(Boolean)
    .join(' · ')
}

export function describeTarget({ operationId, method, path }: FaultInput): string {
  return [operationId, method, path].filter(Boolean).join(' ') || 'any operation'
}

function describeOutcome(fault: FaultInput): string | undefined {
  const { status, sequence, repeat, rateLimit, malfunction, reset, gate, profile } = fault
  if (status !== undefined) return `${status}`
  if (sequence) return `${sequence.join(', ')}${repeat ? ', repeating' : ''}`
  if (rateLimit) return `429 after ${rateLimit.requests} requests in ${rateLimit.windowSeconds} s`
  if (malfunction ?? reset) return malfunctionLabels[malfunction ?? 'reset']
  if (gate) return 'held until released'
  return profile && `profile ${profile}`
}

function describeDelay({ delayMs }: FaultInput): string | undefined {
  if (delayMs === undefined) return undefined
  return typeof delayMs === 'number'
    ? `delayed by ${delayMs} ms`
    : `delayed by ${delayMs.min} to ${delayMs.max} ms`
}
