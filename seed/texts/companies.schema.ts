import * as z from 'zod'

const word = z.string().regex(/^[A-Z][a-z]+(?: [A-Z][a-z]+)?$/)

export const schema = z.strictObject({
  industries: z.record(z.string(), z.array(word).min(5)),
  words: z.array(word).min(80),
  beginnings: z.array(word).min(30),
  endings: z.array(z.string().regex(/^[a-z]+$/)).min(30),
})
