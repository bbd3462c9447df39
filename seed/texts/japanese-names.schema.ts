import * as z from 'zod'

import { lazyStrictObject } from '../../src/core/lazy-schema.ts'
import { wordsLike } from './template-schema.ts'

const names = wordsLike(z.string().regex(/^[A-Z][a-z]+$/), 20)

export const schema = lazyStrictObject(() => ({ female: names, male: names, last: names }))
