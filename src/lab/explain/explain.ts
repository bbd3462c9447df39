import { createRequest } from '../../control/route.ts'
import { parseInput } from '../../core/issues.ts'
import { readInSlices } from '../../core/slices.ts'
import type { Session } from '../../sessions/session.ts'
import { type ExplainHost, explainRun, listWarnings, type PlayedRequest, runRequest } from './explain-run.ts'
import { explainRecorded } from './recorded.ts'
import { ExplainInput, type Explanation, type Preview, PreviewInput, toTarget } from './schemas.ts'

/** Copies a session for a request, so that nothing is recorded, counted or stored. */
const copyWithScenarios = ({ sandbox }: ExplainHost, session: Session): Session =>
  sandbox.copySession(session, { scenarios: session.scenarios.snapshot() })

/** Shows the response to a GET. Errors: invalid_request that names each field. */
export async function preview(host: ExplainHost, session: Session, input: unknown): Promise<Preview> {
  const { path, token } = parseInput(PreviewInput, input)
  const copy = copyWithScenarios(host, session)
  const target = toTarget(path)
  const response = await host.respond(createRequest('GET', target, `Bearer ${token}`), { session: copy })
  return {
    request: `GET ${target}`,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.json(),
    warnings: listWarnings(copy),
  }
}

/** Explains a response, or why a record is not in it. Errors: as preview; not_found and conflict for a recorded request. */
export async function explain(host: ExplainHost, session: Session, input: unknown): Promise<Explanation> {
  const { requestId, id, method = 'GET', path = '', token = '' } = parseInput(ExplainInput, input)
  const explainIn = async (copy: Session, request: PlayedRequest) => {
    const ran = await runRequest(host, copy, request)
    return readInSlices(() => explainRun(ran, id))
  }
  const explainNow = async (request: PlayedRequest) => explainIn(copyWithScenarios(host, session), request)
  if (requestId === undefined)
    return explainNow({ method, path: toTarget(path), authorization: `Bearer ${token}` })
  const entry = session.requests.findAnswered(requestId)
  const { target, credential: authorization, moment, settings } = entry
  const request = { method: entry.method, path: target, authorization }
  const commits = moment && session.data.history.listBetween(moment.revision, session.data.revision)
  // Without scenarios, so that what they did makes a difference.
  const copy = commits && host.sandbox.copySession(session, { data: session.data.undo(commits), settings })
  if (moment && copy) copy.clock.state = copy.clock.stateAt(moment.at)
  const past = copy && (await explainIn(copy, request))
  const now = await explainNow(request)
  return readInSlices(() => explainRecorded({ entry, session, id, commits, past, now }))
}
