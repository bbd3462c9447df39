import type { JournalEntry, RequestSummary } from '../../journal/view.ts'
import { read } from '../calls.ts'
import { castResponse, prepare, routes } from '../client.ts'
import { type HttpRequest, baseUrl } from '../curl.ts'
import type { Cast } from './cast.tsx'
import { listDifferences } from './diff.tsx'
import { parseValue } from './schema.ts'
import { sendToService } from './service.tsx'
import type { Status } from './status.tsx'

interface Outcome {
  readonly status: Status
  readonly body: unknown
}

export interface Replayed {
  readonly request: RequestSummary
  readonly before: Outcome
  readonly after: Outcome
  readonly count: number
  readonly isChanged: boolean
  /** Why the responses cannot be compared. */
  readonly obstacle: string | undefined
}

interface Forks {
  readonly fork: string
  /** The session whose responses are those before; undefined to compare with the recorded ones. */
  readonly base: string | undefined
}

/** Sends requests of the page's session again, one after the other and with its clock as it was then. Errors: RequestError. */
export async function runAgain(
  requests: readonly RequestSummary[],
  { fork, base }: Forks,
  cast: Pick<Cast, 'members' | 'invalidTokens'>,
): Promise<readonly Replayed[]> {
  const found: Replayed[] = []
  const sessions = base === undefined ? [fork] : [fork, base]
  let sent = 0
  let now: string | undefined
  // oxlint-disable no-await-in-loop -- a request may depend on those before it
  for (const request of requests) {
    if (request.time !== now) {
      now = request.time
      for (const session of sessions)
        await read({ ...prepare('put', routes.clock, { json: { now } }), session })
    }
    const recorded = await readRecorded(request)
    if (!recorded) continue
    const again = toReplay({ ...request, ...recorded }, findToken(request, cast))
    const after = await send(again, fork)
    const before = base === undefined ? recorded.before : await send(again, base)
    sent += 1
    const count = listDifferences(before.body, after.body).length
    const isChanged = count > 0 || before.status !== after.status
    const entry = base === undefined ? await readEntry(fork, sent) : undefined
    const isHidden = isChanged && request.caller === undefined && recorded.isMasked
    const obstacle = findObstacle(request, recorded, entry) ?? (isHidden ? HIDDEN : undefined)
    found.push({ request, before, after, count, isChanged, obstacle })
  }
  // oxlint-enable no-await-in-loop
  return found
}

const HIDDEN = 'the journal hides its token, which belongs to no member'

/** Finds the token of a request; for one that belongs to nobody, another of that kind. */
function findToken(
  { caller }: RequestSummary,
  { members, invalidTokens }: Pick<Cast, 'members' | 'invalidTokens'>,
) {
  return caller ? members.find(({ id }) => id === caller.id)?.token : invalidTokens[0]
}

/**
 * Finds a reason why the responses to a request cannot be compared.
 * @param again the request that was sent again; undefined if no recorded response is compared
 */
function findObstacle(
  { method, status, fault, scenarios }: RequestSummary,
  { hasBodies }: { readonly hasBodies: boolean },
  again: RequestSummary | undefined,
): string | undefined {
  if (!hasBodies && method !== 'GET') return 'the journal no longer has its body'
  if (!again) return undefined
  if (fault !== again.fault) return describeActor(fault ?? again.fault, fault === undefined)
  const [acted, actedAgain] = [scenarios, again.scenarios].map((acts = []) =>
    acts.map(({ id }) => id).join(' and '),
  )
  if (acted !== actedAgain) return describeActor(acted || actedAgain, acted === '')
  if (typeof status !== 'number') return `it ended with ${status}`
  return hasBodies ? undefined : 'the journal no longer has its response'
}

const describeActor = (actor: string | undefined, isNew: boolean): string =>
  isNew
    ? `${actor} acted only when it was sent again`
    : `${actor} acted on it, but not when it was sent again`

const readEntry = (session: string, id: number): Promise<JournalEntry> =>
  read({
    ...castResponse<JournalEntry>(prepare('get', routes.requests[':id'], { param: { id: `${id}` } })),
    session,
  })

const PREFIX = '/v1'

async function send({ url, ...request }: HttpRequest, session: string): Promise<Outcome> {
  try {
    const target = baseUrl(session) + url.slice(url.indexOf(PREFIX) + PREFIX.length)
    const { status, text } = await sendToService({ ...request, url: target })
    return { status, body: parseBody(text) }
  } catch {
    return { status: 'no response', body: undefined }
  }
}

const parseBody = (text: string): unknown => (text === '' ? undefined : parseValue(text))

/** Reads a request with its complete bodies; undefined if the journal no longer has it. */
async function readRecorded({ id, status }: RequestSummary) {
  const query = { since: `${id - 1}`, limit: '1' }
  const { log } = await read(prepare('get', routes['requests.har'], { query }))
  const [entry] = log.entries
  if (!entry) return undefined
  const headers = Object.fromEntries(entry.request.headers.map(({ name, value }) => [name, value]))
  const text = entry.response.content.text ?? ''
  return {
    headers,
    body: entry.request.postData?.text,
    before: { status, body: parseBody(text) },
    hasBodies: entry.comment === undefined,
    isMasked: headers['authorization']?.endsWith('***') ?? false,
  }
}

/** Headers that clients add themselves, or that concern only the connection or the session. */
const OWN =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|upgrade|expect|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|priority|dnt|cookie|sandbox-session|sec-.*)$/

/**
 * Converts a recorded request to one to send again.
 * @param token replaces the `***` of the journal; undefined if unknown
 */
export function toReplay(
  { method, url, headers, body }: HttpRequest,
  token: string | undefined,
): HttpRequest {
  const kept = Object.entries(headers).filter(([name]) => !OWN.test(name))
  const own = kept.map(([name, value]) => [
    name,
    name === 'authorization' && token !== undefined ? value.replace('***', token) : value,
  ])
  return { method, url, headers: Object.fromEntries(own), body }
}
