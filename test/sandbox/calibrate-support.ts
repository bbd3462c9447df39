import type { Answer } from '../../src/calibration/answers.ts'
import { calibrate } from '../../src/calibration/calibrate.ts'
import { readHar } from '../../src/calibration/har.ts'
import { probe } from '../../src/calibration/probe.ts'
import type { PartialSettings, SessionHandle } from '../../src/index.ts'
import type { Har } from '../../src/journal/har.ts'
import { createJsonPost, openSandbox, tokens } from '../support.ts'

/** Theo's team differs by its definition, and so the caller. */
const caller = tokens.theo

const sandbox = await openSandbox({ size: 60 })

/** Asks a tenant over HTTP, without waiting between requests. */
function ask(tenant: Pick<SessionHandle, 'fetch'>): Promise<readonly Answer[]> {
  return probe({
    baseUrl: 'http://localhost/v1',
    token: caller,
    fetch: (url, init) => tenant.fetch(url, init),
    pause: () => Promise.resolve(),
  })
}

/** Sends what a client of the tenant does besides: it writes a note, and reads records of two organizations. */
async function use(tenant: SessionHandle): Promise<void> {
  const send = (path: string, token: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return tenant.fetch(`http://localhost/v1/organizations${path}`, { ...init, headers })
  }
  await send('/harbor/customers/1', caller)
  for (const name of ['content', 'text', 'body']) {
    await send('/harbor/customers/1/notes', caller, createJsonPost({ categoryId: 1, [name]: 'Called them' }))
  }
  await send('/harbor/customers/1', caller)
  await send('/quill/customers/1000001', tokens.omar)
  await send('/harbor/customers/1000001', caller)
}

/** Records the traffic of a tenant as a browser does, and returns what a probe has read. */
export async function recordTenant(assumptions: PartialSettings) {
  const tenant = sandbox.session({ assumptions })
  const answers = await ask(tenant)
  await use(tenant)
  const har = tenant.requests.har()
  tenant.close()
  return { answers, har }
}

/** Calibrates from a recording, as a file has it. */
export const calibrateFromHar = (har: Har) =>
  calibrate(readHar(new TextEncoder().encode(JSON.stringify(har))).answers)
