import type { HonoRequest, MiddlewareHandler } from 'hono'

import type { Environment } from './environment.ts'
import { endpointAt } from './match.ts'
import { answerOf } from './respond.ts'

/** Enters a request into its session's journal, and its answer once it is there; no body is read or copied for it. */
export const record: MiddlewareHandler<Environment> = async function record(context, next) {
  const { req, env } = context
  const { method, url, headers } = req.raw
  const journal = context.get('session').requests
  const arrival = {
    method,
    url,
    headers: env.head?.rawHeaders ?? headers,
    credential: req.header('authorization'),
  }
  const entry = journal.open(arrival, endpointAt(method, req.path))
  context.set('entry', entry)
  try {
    await next()
  } catch (error) {
    const nothing = { answer: undefined, requestBody: undefined, responseBody: undefined }
    journal.complete(entry, { caller: context.get('caller'), status: 'aborted', ...nothing })
    throw error
  }
  const { res } = context
  const answer = answerOf(res)
  journal.complete(entry, {
    caller: context.get('caller'),
    status: res.status,
    answer: answer ?? res,
    requestBody: Object.keys(req.bodyCache).length > 0 ? await readBody(req) : undefined,
    responseBody: method === 'HEAD' ? undefined : answer?.body,
  })
}

/** The bytes that were read as the request's body; undefined where none were, or reading failed. */
async function readBody(req: HonoRequest): Promise<ArrayBuffer | undefined> {
  try {
    return await req.arrayBuffer()
  } catch {
    return undefined
  }
}
