import { expect, expectTypeOf, it } from 'vitest'

import type { FaultInput, OperationId, PartialSettings, VerifyRule } from '../../src/index.ts'
import { openSandbox } from '../support.ts'

const sandbox = await openSandbox()

it('the ids of operations, in faults and rules, are a union', () => {
  expectTypeOf<FaultInput['operationId']>().toEqualTypeOf<OperationId | undefined>()
  expectTypeOf<VerifyRule['operationId']>().toEqualTypeOf<OperationId | undefined>()
  const session = sandbox.session()
  // @ts-expect-error -- no such operation
  expect(() => session.faults.add({ operationId: 'listCustomer', status: 503 })).toThrow('Did you mean')
  // @ts-expect-error -- no such operation
  expect(() => session.requests.list({ operationId: 'listCustomer' })).toThrow('Did you mean')
  // @ts-expect-error -- no such operation
  expect(() => session.requests.verify({ inOrder: [{ operationId: 'listCustomer' }] })).toThrow(
    'Did you mean',
  )
})

it('the names of profiles, collections, assumptions and their values are unions', async () => {
  const session = sandbox.session()
  // @ts-expect-error -- no such profile
  expect(() => session.faults.add({ profile: 'flakey' })).toThrow('must be one of')
  // @ts-expect-error -- no such collection
  await expect(session.data.undo('customer', 1)).rejects.toThrow('Did you mean customers?')
  // @ts-expect-error -- a customer has no such field
  await expect(session.data.customers.put({ nam: 'x' })).rejects.toThrow('is not known')
  // @ts-expect-error -- a status is one of four
  await expect(session.data.signals.patch(1, { status: 'done' })).rejects.toThrow('must be one of')
  // @ts-expect-error -- no such assumption
  expect(() => sandbox.session({ assumptions: { errorFormats: 'error' } })).toThrow('is not known')
  // @ts-expect-error -- no such value
  expect(() => sandbox.session({ assumptions: { errorFormat: 'errors' } })).toThrow('must be one of')
  const meanings: PartialSettings = { signalStatuses: { NEW: 'open' }, envelopes: 'all' }
  expect(sandbox.session({ assumptions: meanings }).id).toMatch(/^session-/)
  // @ts-expect-error -- no such meaning
  expect(() => sandbox.session({ assumptions: { signalStatuses: { NEW: 'opened' } } })).toThrow('meanings')
})
