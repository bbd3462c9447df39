import { invalidRequest } from '../../contract/errors.ts'
import { MAX_DELAY } from './behaviour.ts'
import { exposed } from './headers.ts'
import type { Injected } from './inject.ts'

const ELEMENTS = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const PREFERENCE =
  /^[ \t]*([!#$%&'*+\-.^_`|~\w]+)[ \t]*(?:=[ \t]*(?:(?:([!#$%&'*+\-.^_`|~\w]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?)?(?:;.*)?$/

/**
 * What a request's `Prefer` header asks for: `code=503` a status from 200 to 599, `delay=2s`, `delay=250ms` or
 * `delay=1.5` (seconds) a wait of at most ten minutes. Other preferences are not ours and are left alone.
 * Errors: 400 for a value that cannot be. Source: RFC 7240; of a preference given twice the first counts.
 */
export function preferred(header: string | undefined): Injected | undefined {
  if (header === undefined) return undefined
  const preferences = preferencesIn(header)
  const code = preferences.get('code')
  const delay = preferences.get('delay')
  if (code === undefined && delay === undefined) return undefined
  const status = code === undefined ? undefined : statusOf(code)
  const delayMs = delay === undefined ? 0 : millisecondsOf(delay)
  const applied = [code !== undefined && `code=${code}`, delay !== undefined && `delay=${delay}`]
  return {
    id: 'prefer',
    delayMs,
    step: status ?? 'proceed',
    body: undefined,
    isStored: false,
    headers: exposed({ 'preference-applied': applied.filter(Boolean).join(', ') }),
  }
}

/** The values of a header's preferences by name, "" where there is none. */
function preferencesIn(header: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [element] of header.matchAll(ELEMENTS)) {
    const [, name, token, quoted] = PREFERENCE.exec(element) ?? []
    const value = token ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? ''
    if (name !== undefined && !values.has(name.toLowerCase())) values.set(name.toLowerCase(), value)
  }
  return values
}

function statusOf(code: string): number {
  if (/^[2-5]\d\d$/.test(code)) return Number(code)
  throw refused('code must be a status from 200 to 599, like code=503')
}

function millisecondsOf(delay: string): number {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s)?$/.exec(delay) ?? []
  const milliseconds = amount === undefined ? Infinity : Number(amount) * (unit === 'ms' ? 1 : 1_000)
  if (milliseconds <= MAX_DELAY) return Math.round(milliseconds)
  throw refused('delay must be a time of at most 600s, like delay=2s, delay=250ms or delay=1.5')
}

function refused(message: string): Error {
  return invalidRequest([{ in: 'header', name: 'Prefer', message }])
}
