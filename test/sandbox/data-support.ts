import { expect } from 'vitest'

import { type Sandbox, SandboxError } from '../../src/index.ts'
import { as } from '../support.ts'

/** Opens a fresh session: its records, and the service as Mara sees it. */
export function openRecords(sandbox: Sandbox) {
  const session = sandbox.session()
  return { session, data: session.data, mara: as(session, 'mara'), home: '/organizations/harbor' }
}

/** Expects a call to be rejected with an error that says so, and returns it. */
export async function expectRejected(
  call: Promise<unknown>,
  code: SandboxError['code'],
  text = '',
): Promise<SandboxError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({ code, message: expect.stringContaining(text) })
  return error as SandboxError
}

/** Expects a 400 with exactly these errors, each its place or, with a colon, its place and its message. */
export async function expectWrong(call: Promise<unknown>, ...wrong: readonly string[]): Promise<void> {
  const { errors = [] } = await expectRejected(call, 'invalid_request')
  const found = errors.map(({ name, message }, at) =>
    wrong[at]?.includes(': ') ? `${name}: ${message}` : name,
  )
  expect(found).toEqual(wrong)
}
