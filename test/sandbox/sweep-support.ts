import { sweep, SweepError, type SweepOptions, type SweepSession } from '../../src/index.ts'
import { openSandbox } from '../support.ts'

export const sandbox = await openSandbox()

/** No events at all, to which a test adds what it needs. */
export const nothing = { kills: false, faults: [], scenarios: [], ticks: [] } as const

const headers = { authorization: 'Bearer sbx_harbor_1' }

/** Reads a path of the first organization as JSON. Errors: those of `fetch`, and any status but 200. */
// oxlint-disable-next-line typescript/no-explicit-any -- the tests know the bodies
export async function read({ fetch }: Pick<SweepSession, 'fetch'>, path: string): Promise<any> {
  const response = await fetch(`/v1/organizations/harbor${path}`, { headers })
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

/** Stores a note, and expects that it was answered. */
export async function write({ fetch }: Pick<SweepSession, 'fetch'>, content: string): Promise<void> {
  const body = JSON.stringify({ categoryId: 1, content })
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
  const response = await fetch('/v1/organizations/harbor/customers/1/notes', init)
  if (response.status !== 200) throw new Error(`the note was answered with ${response.status}`)
}

/** Sweeps a client in the common sandbox, and returns the error. */
export async function failSweep<C = SweepSession>(options: SweepOptions<C>): Promise<SweepError> {
  try {
    await sweep({ sandbox, ...options })
  } catch (error) {
    if (error instanceof SweepError) return error
    throw error
  }
  throw new Error('The client has survived.')
}
