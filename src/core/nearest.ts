import { closest, distance } from 'fastest-levenshtein'

export function nearest(word: string, words: readonly string[]): string | undefined {
  const letters = toLetters(word)
  // Distance alone takes `customerNotes` for `customers`; an ending alone takes `allow-host` for `host`.
  const alike =
    words.find((known) => toLetters(known) === letters) ??
    words.find((known) => endsAlike(letters, toLetters(known)))
  if (alike !== undefined) return alike
  const limit = Math.floor(word.length / 2)
  // Words differ at least by their lengths; comparing long ones with every word would take long.
  const similar = words.filter(({ length }) => Math.abs(length - word.length) <= limit)
  if (similar.length === 0) return undefined
  const best = closest(word, similar)
  return distance(word, best) <= limit ? best : undefined
}

const toLetters = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, '')

/** Reports whether one of two words, of four letters or more, ends with the other. */
const endsAlike = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 3 && (one.endsWith(other) || other.endsWith(one))

export function didYouMean(word: string, words: readonly string[]): string {
  if (words.length === 0) return 'Remove it.'
  const near = nearest(word, words)
  return near === undefined ? `Known are ${words.join(', ')}.` : `Did you mean ${near}?`
}
