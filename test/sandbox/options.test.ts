import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { startSandbox, type StartOptions } from '../../src/node.ts'
import { temporaryFolder } from '../folders.ts'

/** Creates a sandbox with invalid options, and returns the error. */
async function refusal(json: string): Promise<unknown> {
  return createSandbox(JSON.parse(json)).catch((error: unknown) => error)
}

it.each(['null', '42', '"small"', '[]'])('rejects %s instead of an object', async (json) => {
  expect(await refusal(json)).toMatchObject({
    name: 'SandboxError',
    code: 'invalid_request',
    message: 'The options must be an object like { seed: 42 }.',
  })
})

it('rejects a rate for a clock that does not run, and stores nothing then', async () => {
  const data = temporaryFolder()
  const start = async (options: StartOptions): Promise<unknown> => {
    await using server = await startSandbox({ data, port: 0, size: 'small', clockRate: 60, ...options })
    return server.sandbox.saveState()
  }
  const error = {
    code: 'invalid_request',
    message:
      'Cannot use the option clockRate, because the clock is frozen. Set the option now to system, or remove the option clockRate.',
  }
  await expect(start({})).rejects.toMatchObject(error)
  expect(await start({ now: 'system' })).toMatchObject({ clock: { rate: 60 } })
  expect(await start({})).toMatchObject({ clock: { rate: 60 } })
  const other = { data: temporaryFolder() }
  const frozen = await start({ ...other, clockRate: undefined })
  await expect(start(other)).rejects.toMatchObject(error)
  const state = { ...Object(frozen), clock: { ...Object(frozen).clock, rate: 60 } }
  await expect(start({ data: temporaryFolder(), state })).rejects.toMatchObject(error)
  const started = await start({ data: temporaryFolder(), state, clockRate: undefined })
  expect(started).toMatchObject({ clock: { now: '2026-01-15T12:00:00.000Z' } })
})
