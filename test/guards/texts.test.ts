import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'
import type * as z from 'zod'

const folder = resolve('seed/texts')
const topics = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []))

it.each(topics)('the texts of %s fit the schema beside them', async (topic) => {
  const { href } = pathToFileURL(resolve(folder, `${topic}.schema.ts`))
  const { schema }: { schema: z.ZodType } = await import(href)
  const result = schema.safeParse(JSON.parse(readFileSync(resolve(folder, `${topic}.json`), 'utf8')))
  expect(result.error?.issues ?? []).toEqual([])
})
