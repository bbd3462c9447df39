/** The units that people type, with their letter in ISO 8601. Order: as there. */
const units = [
  ['years', 'Y'],
  ['months', 'M'],
  ['weeks', 'W'],
  ['days', 'D'],
  ['hours', 'H'],
  ['minutes', 'M'],
  ['seconds', 'S'],
] as const

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
  const counts = new Map<number, string>()
  const words = given.replace(/(?<=\d)(?=[a-z])/g, ' ').split(/[\s,]+/)
  for (let at = 0; at < words.length; at += 2) {
    const [count = '', word = ''] = words.slice(at, at + 2)
    const place = findUnit(word)
    if (place === undefined || counts.has(place) || count === '' || Number.isNaN(Number(count)))
      return undefined
    counts.set(place, count)
  }
  const format = (from: number, to: number): string =>
    units
      .slice(from, to)
      .map(([, letter], index) => (counts.has(from + index) ? `${counts.get(from + index)}${letter}` : ''))
      .join('')
  const time = format(DATES, units.length)
  return `P${format(0, DATES)}${time && `T${time}`}`
}

/** Finds a unit by a word or its beginning; `m` and `min` are minutes, `mo` and `mon` months. */
function findUnit(word: string): number | undefined {
  if (word === 'm' || word === 'min' || word === 'mins') return 5
  if (word === 'sec' || word === 'secs') return 6
  const place = word === '' ? -1 : units.findIndex(([name]) => name.startsWith(word))
  return place === -1 ? undefined : place
}
