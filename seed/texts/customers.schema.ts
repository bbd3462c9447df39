import * as z from 'zod'

import { templateWith } from './template-schema.ts'

/** The texts about customers. */
export const schema = z.strictObject({
  /** The job titles of contacts. */
  titles: z.array(templateWith()).min(10),
  /** Goals of customers. */
  goals: z.array(templateWith()).min(10),
})
