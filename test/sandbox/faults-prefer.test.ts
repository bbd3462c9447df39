import { expect, it } from 'vitest'

import { parsePrefer } from '../../src/testing/faults/prefer.ts'
import { readCpuTime } from '../support.ts'

it.each([
  ['code=503', 503, 0],
  ['delay=2s', 'proceed', 2_000],
  ['delay=250ms', 'proceed', 250],
  ['delay=1.5', 'proceed', 1_500],
  ['code=404, delay=0.25s', 404, 250],
  ['Code = "429"', 429, 0],
  ['respond-async, code=503; foo="a,b", wait=10', 503, 0],
  ['foo="code=400, \\"delay=9\\"", code=503', 503, 0],
  ['code=503, code=500', 503, 0],
  [', ,code=503,', 503, 0],
  ['delay=600', 'proceed', 600_000],
])('applies Prefer: %s', (header, step, delayMs) => {
  expect(parsePrefer(header)).toMatchObject({ id: 'prefer', step, delayMs })
})

it.each(['', 'respond-async', 'return=minimal; code=503', '"code=503"', 'return="code=503"', '=', 'a b'])(
  'ignores Prefer: %s',
  (header) => {
    expect(parsePrefer(header)).toBeUndefined()
  },
)

const wrongCodes = ['code', 'code=', 'code=99', 'code=600', 'code=5e2', 'code=teapot', 'code=0503', 'code=""']
const wrongDelays = ['delay', 'delay=-1', 'delay=601', 'delay=600001ms', 'delay=2m', 'delay=1e3', 'delay=.5']

it.each([...wrongCodes, ...wrongDelays])('rejects Prefer: %s', (header) => {
  const [name = ''] = header.split('=')
  expect(() => parsePrefer(header)).toThrow(`header Prefer: ${name} must be`)
})

it('reports the applied preferences, readable from any origin', () => {
  expect(parsePrefer('delay="250ms", code=503')?.headers).toMatchObject({
    'preference-applied': 'code=503, delay=250ms',
    'access-control-expose-headers': expect.stringContaining('preference-applied'),
  })
})

it('reads a long malformed header in linear time', () => {
  const before = readCpuTime()
  for (const part of ['"', ',', '"a', 'a=', ';', '\\', 'a="\\']) parsePrefer(part.repeat(16_000))
  expect(readCpuTime() - before).toBeLessThan(1_000)
})
