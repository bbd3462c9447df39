import type { Lookup } from '../src/store/references.ts'
import type { Account } from './account.ts'
import { computeSlotId, SLOTS } from './ids.ts'
import { DAY, parseTime } from './time.ts'

/** How signals report that somebody leaves. */
const LEAVING =
  /\b(?:leav(?:e|es|ing)|left|retir(?:es|ing|ed)|moved|moving|on leave|no longer|new employer|new job|bounce|lost|replaced)\b/

/** The time before a signal in which the person may have left already. */
const EARLIER = 80 * DAY

/**
 * Finds the contacts of a customer who left it, according to its signals, by name. Units: milliseconds since 1970.
 */
export function findDepartures(account: Account, data: Pick<Lookup, 'get'>): ReadonlyMap<string, number> {
  const departures = new Map<string, number>()
  for (let slot = 1; slot <= SLOTS; slot += 1) {
    const signal = data.get('signals', computeSlotId(account.customer.id, slot))
    if (signal?.customerId !== account.customer.id) continue
    const sentences = [signal.summary, ...(signal.severityExplanation ?? '').split('. ')]
    for (const { name } of account.contacts) {
      if (!sentences.some((sentence) => sentence.includes(name) && LEAVING.test(sentence))) continue
      const timeMs = parseTime(signal.createdDate) - EARLIER
      departures.set(name, Math.min(timeMs, departures.get(name) ?? Infinity))
    }
  }
  return departures
}
