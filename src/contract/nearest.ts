import { closest, distance } from 'fastest-levenshtein'

/** Finds the known word that is nearest to another one; undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const found = closest(word, [...known])
  return distance(word, found) <= Math.max(2, Math.ceil(word.length / 2)) ? found : undefined
}

/** Suggests the nearest known word, or lists the known ones. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'None is allowed here.'
  const found = nearest(word, known)
  return found === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${found}?`
}
