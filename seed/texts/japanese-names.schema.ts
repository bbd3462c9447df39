import * as z from 'zod'

import { wordsLike } from './template-schema.ts'

const names = wordsLike(z.string().regex(/^[A-Z][a-z]+$/), 20)

export const schema = z.strictObject({ female: names, male: names, last: names })
