import { invalidField } from '../../core/errors.ts'
import { FaultStatus, MAX_DELAY } from './effects.ts'
import { exposeHeaders, type Injection } from './inject.ts'

/**
 * Parses the fault that a request selects with its `Prefer` header: `code=503` is a status from 200 to 599; `delay=2s`,
 * `delay=250ms` and `delay=1.5` (seconds) are waits of at most ten minutes. Other preferences are ignored.
 * Errors: 400 for an invalid value. Source: RFC 7240; the first of a repeated preference counts.
 */
export function parsePrefer(header: string): Injection | undefined {
  const preferences = parsePreferences(header)
  const code = preferences.get('code')
  const delay = preferences.get('delay')
  if (code === undefined && delay === undefined) return undefined
  const applied = [code !== undefined && `code=${code}`, delay !== undefined && `delay=${delay}`]
  return {
    id: 'prefer',
    step: code === undefined ? 'proceed' : parseStatus(code),
    delayMs: delay === undefined ? 0 : parseDelay(delay),
    headers: exposeHeaders({ 'preference-applied': applied.filter(Boolean).join(', ') }),
  }
}

/** An element of a list, in which quotes may hold a comma. Source: RFC 9110, section 5.6. */
const ELEMENT = /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g

function parsePreferences(header: string): ReadonlyMap<string, string> {
  const preferences = (header.match(ELEMENT) ?? []).map((element) => {
    const [, name = '', value = ''] = /^\s*([^\s=;]+)\s*=?([^;]*)/.exec(element) ?? []
    return [name.toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')] as const
  })
  // Of a repeated one, the first counts.
  return new Map(preferences.toReversed())
}

function parseStatus(code: string): number {
  const status = FaultStatus.safeParse(/^\d{3}$/.test(code) ? Number(code) : undefined)
  if (status.success) return status.data
  throw createPreferError('code must be a status from 200 to 599, like code=503')
}

function parseDelay(delay: string): number {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s)?$/.exec(delay) ?? []
  const milliseconds = amount === undefined ? Infinity : Number(amount) * (unit === 'ms' ? 1 : 1_000)
  if (milliseconds <= MAX_DELAY) return Math.round(milliseconds)
  throw createPreferError('delay must be at most 600s, like delay=2s, delay=250ms or delay=1.5')
}

const createPreferError = (message: string): Error => invalidField('Prefer', message, 'header')
