import * as z from 'zod'

import { templateWith } from './template-schema.ts'

export const schema = z.strictObject({
  titles: z.array(templateWith()).min(10),
  goals: z.array(templateWith()).min(10),
})
