import { expect, it } from 'vitest'

import { formatMegabytes } from './figures.ts'
import { forEach, serveWithClient } from './server.ts'

/** Sizes and the heaps that they need. The large one is generated, which takes long. */
const heaps = [
  ['small', 64],
  ['medium', 96],
  ['large', 512],
] as const

it.for(heaps)('serves size %s in a heap of %i MB', async ([size, heap], { annotate }) => {
  const { call, child, memory } = await serveWithClient(heap, ['--size', size])
  const home = '/v1/organizations/harbor'
  const customers = JSON.parse(await call('GET', `${home}/customers?limit=1`)).totalCount
  await forEach(1_500, async (number) => {
    const customer = `${home}/customers/${1 + (number % 25)}`
    await call('GET', `${home}/customers?limit=250&offset=${(number * 250) % customers}`)
    await call('GET', `${home}/signals?limit=250&offset=${(number * 250) % customers}`)
    await call('GET', `${customer}/meetings`)
    await call('POST', `${customer}/notes`, undefined, { categoryId: 1, content: 'A note' })
  })
  expect(child.exitCode).toBeNull()
  await annotate(`${formatMegabytes((await memory()).live)} live`)
})
