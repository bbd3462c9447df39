import type { Options } from 'minisearch'

/** Finds the pages of the guide by the words that people type. No functions: the server's policy forbids to evaluate them. */
export const searchOptions: Pick<Options, 'searchOptions'> = {
  searchOptions: { boost: { title: 4, titles: 2, text: 1 }, prefix: true, fuzzy: 0.2 },
}
