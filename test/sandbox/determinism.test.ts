import { expect, it } from 'vitest'

import { openSandbox } from '../support.ts'

/** Hashes over size `small`. They change with the generators and the default fixture, and then on purpose. */
const golden = {
  1: 'ce435cc52ed464b8cebc108ba22e9797d62340fd2f9923156d675095abe82714',
  42: '3b8911effcf8e3f8996a8fde7b06f9c7129ca3b2a4f8db0e8c528df42230a47b',
}

it.each(Object.entries(golden))(
  'seed %i has the fingerprint that it always had',
  async (seed, fingerprint) => {
    const { dataset } = await openSandbox({ seed: Number(seed) })
    expect(await dataset.fingerprint()).toBe(fingerprint)
  },
)

it('the fingerprint changes with seed, size, fixture and now', async () => {
  const base = { seed: 1, size: 3, fixture: 'empty', now: '2026-01-15T12:00:00.000Z' }
  const variants = [
    base,
    { ...base, seed: 2, fixture: 'default' },
    { ...base, fixture: 'default' },
    { ...base, size: 4, fixture: 'default' },
    { ...base, now: '2026-01-15T12:00:00.001Z' },
  ]
  const opened = await Promise.all(variants.map((each) => openSandbox(each)))
  const fingerprints = await Promise.all(opened.map(({ dataset }) => dataset.fingerprint()))
  expect(new Set(fingerprints).size).toBe(variants.length)
})

it('what a program does to the rows and exports of a sandbox changes no other one', async () => {
  const shared = { size: 4, seed: 5 }
  const first = await openSandbox(shared)
  const text = JSON.stringify(first.dataset.export())
  for (const customer of first.dataset.export().customers) Object.assign(customer, { name: 'Changed' })
  expect(() => Object.assign(first.dataset.rows.customers[0]?.products ?? {}, ['another'])).toThrow(TypeError)
  expect(JSON.stringify((await openSandbox(shared)).dataset.export())).toBe(text)
})
