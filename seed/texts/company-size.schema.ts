import * as z from 'zod'

import { templateWith, wordsLike } from './template-schema.ts'

/** Words that only companies with so many employees have, in lower case and without hyphens. Order: largest first. */
export const schema = z.array(
  z.strictObject({ employees: z.int().positive(), words: wordsLike(templateWith(), 10) }),
)
