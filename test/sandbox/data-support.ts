import { expect } from 'vitest'

import { type Sandbox, SandboxError } from '../../src/index.ts'
import { as } from '../support.ts'

/** A fresh session: its records, and the service as Mara sees it. */
export function openRecords(sandbox: Sandbox) {
  const session = sandbox.session()
  return { session, data: session.data, mara: as(session, 'mara'), home: '/organizations/harbor' }
}

/** Expects a call to be refused, and gives the refusal. */
export async function expectRefused(
  call: Promise<unknown>,
  code: SandboxError['code'],
): Promise<SandboxError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({ code })
  return error as SandboxError
}

/** Expects a 400 for these places in what was given, and no others. */
export async function expectWrong(call: Promise<unknown>, ...places: readonly string[]): Promise<void> {
  const { errors = [] } = await expectRefused(call, 'invalid_request')
  expect(errors.map(({ name }) => name)).toEqual(places)
}
