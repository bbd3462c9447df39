import { sweep, SweepError, type SweepOptions, type SweepSession } from '../../src/index.ts'
import { as, home, openSandbox } from '../support.ts'

export const sandbox = await openSandbox()

/** No events at all, to which a test adds what it needs. */
export const nothing = { kills: false, faults: [], scenarios: [], ticks: [] } as const

/** Reads a path of the first organization as JSON. Errors: any status but 200. */
// oxlint-disable-next-line typescript/no-explicit-any -- the tests know the bodies
export const read = (session: SweepSession, path: string): Promise<any> =>
  as(session, 'mara').get(`${home}${path}`)

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
