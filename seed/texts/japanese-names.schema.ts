import * as z from 'zod'

import { lazyStrictObject } from '../../src/core/lazy-schema.ts'

const names = z.array(z.string().regex(/^[A-Z][a-z]+$/)).min(20)

export const schema = lazyStrictObject(() => ({ female: names, male: names, last: names }))
