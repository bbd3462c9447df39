import { closest, distance } from 'fastest-levenshtein'

/** The known word that is nearest to a given one; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const found = closest(word, [...known])
  return distance(word, found) <= Math.max(2, Math.ceil(word.length / 2)) ? found : undefined
}

/** The end of a message about an unknown word: what was probably meant, else what there is. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known)
  return found === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${found}?`
}
