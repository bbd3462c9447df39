import type { Host } from '../control/host.ts'
import { importInTurn } from '../import-in-turn.ts'
import type { AnswerWeb, Origin } from './exchange.ts'
import { createService, type Service } from './service.ts'
import type { WebApp } from './web-app.ts'

/** The whole sandbox as functions from a request. */
export interface App extends WebApp, Pick<Service, 'answerPlain'> {}

/** The sandbox: the service, and what the real one does not have. What only web requests need is loaded with the first. */
export function createApp(host: Host): App {
  const service = createService(host)
  let web: WebApp | undefined
  const loaded = async (): Promise<WebApp> => {
    const { createWebApp } = await importInTurn(() => import('./web-app.ts'))
    return (web ??= createWebApp(host, service))
  }
  const load: AnswerWeb = async (request: Request, origin: Origin): Promise<Response> => {
    const release = origin.session && host.sessions.hold(origin.session)
    try {
      return await (await loaded()).fetch(request, origin)
    } finally {
      release?.()
    }
  }
  return {
    fetch: (request, origin) => web?.fetch(request, origin) ?? load(request, origin),
    explain: async (session, input) => (await loaded()).explain(session, input),
    preview: async (session, input) => (await loaded()).preview(session, input),
    answerPlain: (head, bytes) => service.answerPlain(head, bytes),
  }
}
