import * as z from 'zod'

import { templateWith } from './template.ts'

/** The texts about customers. */
export const schema = z.strictObject({
  /** What customers want to achieve. */
  goals: z.array(templateWith()).min(10),
})
