import { type FaultSurroundings, throughFaults } from '../../src/control/faults/step.ts'
import { endpointAt } from '../../src/http/match.ts'
import { type Answer, createAnswer, responseOf } from '../../src/http/respond.ts'

/** What a service answers behind the faults of a session. */
export async function answeredThrough(
  request: Request,
  around: FaultSurroundings,
  proceed: () => Promise<Response>,
): Promise<Response> {
  const { method, signal } = request
  const path = new URL(request.url).pathname
  const header = (name: string) => request.headers.get(name) ?? undefined
  const endpoint = endpointAt(method, path)
  const answered = await throughFaults({ method, signal, path, header }, endpoint, around, async () =>
    answerIn(await proceed()),
  )
  return answered instanceof Response ? answered : responseOf(answered)
}

async function answerIn(response: Response): Promise<Answer> {
  const { 'content-type': contentType = '', ...headers } = Object.fromEntries(response.headers)
  return createAnswer(await response.text(), contentType, { status: response.status, headers })
}
