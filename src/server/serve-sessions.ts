import { SandboxError } from '../contract/errors.ts'
import { problemResponse } from '../http/problem.ts'
import type { Sandbox } from '../sandbox.ts'
import { authority } from './addresses.ts'
import type { Answering } from './answering.ts'
import { createHttpServer } from './http-server.ts'
import { listen } from './listen.ts'

/** The service, as a session's base address leads to it. */
const SERVICE = /^\/_sandbox\/sessions\/[^/]+\/v1(?:\/|$)/

/** Serves the sessions of a sandbox on a free port of this machine; nothing of its control plane. */
export async function serveSessions(
  sandbox: Sandbox,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const fetch: Answering['fetch'] = async (request, { connection }) => {
    if (SERVICE.test(new URL(request.url).pathname)) return sandbox.fetch(request, connection)
    return problemResponse(new SandboxError('not_found', 'Only the service is served here, by session.'))
  }
  const http = createHttpServer(() => ({ fetch }))
  const listening = await listen(http.server, undefined, 0)
  const close = (): Promise<void> => {
    listening.stop()
    return http.close()
  }
  return { url: `http://${authority(listening.address, listening.port)}`, close }
}
