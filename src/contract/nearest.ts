import { closest, distance } from 'fastest-levenshtein'

/** Finds the known word that is most similar to another one; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const found = closest(word, [...known])
  return distance(word, found) <= Math.max(2, Math.ceil(word.length / 2)) ? found : undefined
}

/** Suggests the most similar known word, or lists all known words. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'Remove it: nothing is accepted here.'
  const found = nearest(word, known)
  return found === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${found}?`
}
