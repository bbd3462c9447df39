import type { Host } from '../control/host.ts'
import type { AnswerWeb, Origin } from './exchange.ts'
import { createService, type Service } from './service.ts'

/** The whole sandbox as functions from a request. */
export interface App extends Pick<Service, 'answerPlain'> {
  readonly fetch: AnswerWeb
}

/** The sandbox: the service, and what the real one does not have. What only web requests need is loaded with the first. */
export function createApp(host: Host): App {
  const service = createService(host)
  let web: AnswerWeb | undefined
  const load = async (request: Request, origin: Origin): Promise<Response> => {
    const release = origin.session && host.sessions.hold(origin.session)
    try {
      const { createWebApp } = await import('./web-app.ts')
      web ??= createWebApp(host, service)
      return await web(request, origin)
    } finally {
      release?.()
    }
  }
  return {
    fetch: (request, origin) => web?.(request, origin) ?? load(request, origin),
    answerPlain: (head, bytes) => service.answerPlain(head, bytes),
  }
}
