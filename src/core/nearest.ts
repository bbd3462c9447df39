import { closest, distance } from 'fastest-levenshtein'

/** Finds the known word that is most similar to another one; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.ceil(word.length / 2))
  // Words differ at least by their lengths; comparing long ones with every word would take long.
  const similar = known.filter(({ length }) => Math.abs(length - word.length) <= limit)
  if (similar.length === 0) return undefined
  const found = closest(word, similar)
  return distance(word, found) <= limit ? found : undefined
}

export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return 'Remove it: nothing is accepted here.'
  const found = nearest(word, known)
  return found === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${found}?`
}
