import * as z from 'zod'

const word = z.string().regex(/^[A-Z][a-z]+(?: [A-Z][a-z]+)?$/)

/** The words of company names. */
export const schema = z.strictObject({
  /** By industry, the last words of a name. */
  industries: z.record(z.string(), z.array(word).min(5)),
  /** Single words before them. */
  words: z.array(word).min(80),
  /** The parts of compound words before them. */
  beginnings: z.array(word).min(30),
  endings: z.array(z.string().regex(/^[a-z]+$/)).min(30),
})
