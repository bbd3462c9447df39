import type { Options } from 'minisearch'

/** Words that say nothing about the page that somebody looks for. */
const stopWords = new Set(
  'a an and are as at be but by can do does for from get has have how i if in into is it its me my no not of on or that the their then there this to was what when where which why will with you your'.split(
    ' ',
  ),
)

/** How much a place counts. Order: the first that fits; using the service comes before the sandbox's own calls. */
const weights = [
  [/\/(?:using-the-service|getting-started|console|which-tool)\b/, 2],
  [/\/reference\/control-/, 0.5],
  // Each page has a list of its messages, each operation one of its parameters.
  [/#(?:errors|pitfalls)$/, 0.4],
  [/#parameters(?:-\d)?$/, 0.6],
] as const

/** Finds the pages of the guide by the words that people type. */
export const searchOptions: NonNullable<Options['searchOptions']> = {
  boost: { title: 4, titles: 2, text: 1 },
  // `a` and `er` are the beginning of too many words.
  prefix: (term) => term.length > 3,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  processTerm: (term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
  boostDocument: (id: string) => weights.find(([place]) => place.test(id))?.[1] ?? 1,
}
