/** The units that people type. Order: as in ISO 8601, which has their first letters. */
const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds']

/** The number of units that stand before the `T` of a duration. */
const DATES = 4

/**
 * Converts a duration as people type it to ISO 8601, as `P30D` for `30 days`; undefined if it is none. ISO 8601 stays.
 * @example
 * parseDuration('1 day 2h') // → 'P1DT2H'
 */
export function parseDuration(text: string): string | undefined {
  const given = text.trim().toLowerCase().replace('+', '')
  if (/^p[\dtymwdhs.,]+$/.test(given)) return given.toUpperCase()
  const found = Array.from(given.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*/gy))
  const counts = new Map(found.map(([, count, word = '']) => [findUnit(word), count]))
  const isWhole = found.map(([part]) => part).join('') === given && given !== ''
  if (!isWhole || counts.has(undefined) || counts.size < found.length) return undefined
  const [dates, times] = [units.slice(0, DATES), units.slice(DATES)].map((some) =>
    some.map((unit) => (counts.has(unit) ? `${counts.get(unit)}${unit[0]?.toUpperCase()}` : '')).join(''),
  )
  return `P${dates}${times && `T${times}`}`
}

/** Finds a unit by a word or its beginning; `m` and `min` are minutes, `mo` and `mon` months. */
function findUnit(word: string): string | undefined {
  const start = word === 'm' ? 'mi' : word.replace(/^(min|sec)s$/, '$1')
  return units.find((unit) => unit.startsWith(start))
}
