import * as z from 'zod'

import { templateWith, wordsLike } from './template-schema.ts'

const word = z.string().regex(/^[A-Z][a-z]+(?: [A-Z][a-z]+)?$/)

export const schema = z.strictObject({
  industries: z.record(z.string(), wordsLike(word, 5)),
  words: wordsLike(word, 80),
  beginnings: wordsLike(word, 30),
  endings: wordsLike(z.string().regex(/^[a-z]+$/), 30),
  /** How companies that do not speak English are named, and what they do in their language, by industry. */
  languages: z.record(
    z.string(),
    z.strictObject({
      names: z.array(templateWith(['surname', 'activity'])).min(1),
      activities: z.record(z.string(), wordsLike(z.string().regex(/^\p{Lu}[\p{L} ]+$/u), 3)),
    }),
  ),
})
