import { expect, it } from 'vitest'

import { forEach, serveCalls } from './calling.ts'
import { amount, megabytes, tell } from './figures.ts'
import { notes } from './heads.ts'

it('takes next to nothing for a session, and gives it back', { timeout: 60_000 }, async (context) => {
  const { call, memory } = await serveCalls()
  const open = (id: string) => call('POST', '/_sandbox/sessions', undefined, { id })
  const use = async (id: string) => {
    await call('GET', '/v1/members/me', id)
    await call('GET', notes, id)
    await call('POST', notes, id, { categoryId: 1, content: `In ${id}` })
    await call('PUT', '/_sandbox/data/customers/1', id, { name: id })
    await call('POST', '/_sandbox/faults', id, { operationId: 'getCurrentMember', status: 200, times: 1 })
    await call('POST', '/_sandbox/clock/advance', id, { by: 'P1D' })
    await call('GET', '/v1/members/me', id)
  }
  const remove = (id: string) => call('DELETE', `/_sandbox/sessions/${id}`)
  const count = amount(300, 1_000)
  // Once before, so that what is made once is there.
  for (const work of [open, use, remove]) await forEach(count, (number) => work(`s${number}`))

  const empty = (await memory()).live
  await forEach(count, (number) => open(`s${number}`))
  const idle = (await memory()).live
  await forEach(count, (number) => use(`s${number}`))
  const used = (await memory()).live
  await forEach(count, (number) => remove(`s${number}`))
  const deleted = (await memory()).live

  const bytes = { idle: (idle - empty) / count, used: (used - idle) / count }
  const back = (used - deleted) / (used - empty)
  tell(context, 'sessions', 'idle < 10 KB each (goal 1)', `${bytes.idle.toFixed(0)} bytes`)
  tell(context, 'sessions', 'used < 50 KB each (goal 15)', `${bytes.used.toFixed(0)} bytes`)
  tell(context, 'sessions', '> 85 % back after deletion (goal 98 %)', `${(back * 100).toFixed(1)} %`)
  expect(bytes.idle).toBeLessThan(10_000)
  expect(bytes.used).toBeLessThan(50_000)
  expect(back).toBeGreaterThan(0.85)
})

it(
  'stays bounded where session after session is opened and none deleted, and keeps the one in use',
  { timeout: 120_000 },
  async (context) => {
    // More than the heap holds in all.
    const [heap, count] = [160, amount(4_500, 9_000)]
    const { call, child, memory } = await serveCalls(heap)
    await call('POST', '/_sandbox/sessions', undefined, { id: 'in-use' })
    await call('POST', notes, 'in-use', { categoryId: 1, content: 'Of the one in use' })
    const faults = { operationId: 'listMembers', status: 503, body: { text: 'x'.repeat(40_000) } }
    await forEach(count, async (number) => {
      await call('POST', '/_sandbox/sessions', undefined, { id: `s${number}`, faults })
      if (number % 100 === 0) await call('GET', '/v1/members/me', 'in-use')
    })
    expect(child.exitCode).toBeNull()
    expect(await call('GET', notes, 'in-use')).toContain('Of the one in use')
    const { live } = await memory()
    const figure = `${count} × 40 KB in ${heap} MB: alive, ${megabytes(live)} live`
    tell(context, 'sessions', '9,000 × 40 KB never deleted in a 160 MB heap', figure)
  },
)
