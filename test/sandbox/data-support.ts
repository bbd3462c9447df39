import { expect } from 'vitest'

import { type Sandbox, SandboxError } from '../../src/index.ts'
import { as } from '../support.ts'

/** Opens a fresh session: its records, and the service as Mara sees it. */
export function openRecords(sandbox: Sandbox) {
  const session = sandbox.session()
  return { session, data: session.data, mara: as(session, 'mara'), home: '/organizations/harbor' }
}

/** Expects a call to be rejected, and returns the error. */
export async function expectRejected(
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

/** Expects a 400 that names exactly these places. */
export async function expectWrong(call: Promise<unknown>, ...places: readonly string[]): Promise<void> {
  const { errors = [] } = await expectRejected(call, 'invalid_request')
  expect(errors.map(({ name }) => name)).toEqual(places)
}
