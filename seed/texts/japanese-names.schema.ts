import * as z from 'zod'

const names = z.array(z.string().regex(/^[A-Z][a-z]+$/)).min(20)

export const schema = z.strictObject({ female: names, male: names, last: names })
