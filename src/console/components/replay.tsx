import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { RequestSummary } from '../../journal/view.ts'
import { change, read } from '../calls.ts'
import { prepare, prepareFork, routes } from '../client.ts'
import { type HttpRequest, baseUrl } from '../curl.ts'
import { switchSession } from '../place.ts'
import { type CastMember, useCast } from './cast.tsx'
import { Differences, listDifferences } from './diff.tsx'
import { plural } from './format.tsx'
import { parseValue } from './schema.ts'
import { sendToService } from './service.tsx'
import { type Status, StatusTag } from './status.tsx'
import { Button, Problem, RequestLink } from './ui.tsx'

/** A response as far as it is compared. */
interface Outcome {
  readonly status: Status
  readonly body: unknown
}

/** A request that was sent again, with both responses. */
interface Replayed {
  readonly request: RequestSummary
  readonly before: Outcome
  readonly after: Outcome
}

/**
 * Sends requests of the page's session again in another session, one after the other and with its clock as it was then,
 * and compares the responses. Errors: RequestError.
 */
async function replay(
  requests: readonly RequestSummary[],
  id: string,
  members: readonly CastMember[],
): Promise<readonly Replayed[]> {
  const found: Replayed[] = []
  let now: string | undefined
  // oxlint-disable no-await-in-loop -- a request may depend on those before it
  for (const request of requests) {
    if (request.time !== now) {
      now = request.time
      await read({ ...prepare('put', routes.clock, { json: { now } }), session: id })
    }
    const recorded = await readRecorded(request)
    if (!recorded) continue
    const token = members.find((member) => member.id === request.caller?.id)?.token
    const sent = toReplay({ ...request, ...recorded }, token)
    const after = await send({ ...sent, url: toSession(sent.url, id) })
    found.push({ request, before: recorded.before, after })
  }
  // oxlint-enable no-await-in-loop
  return found
}

/** The prefix of the service's paths, with which the base URL of each session ends. */
const PREFIX = '/v1'

/** Moves a request's URL to another session. */
const toSession = (url: string, id: string): string =>
  baseUrl(id) + url.slice(url.indexOf(PREFIX) + PREFIX.length)

async function send(request: HttpRequest): Promise<Outcome> {
  try {
    const { status, text } = await sendToService(request)
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
  return { headers, body: entry.request.postData?.text, before: { status, body: parseBody(text) } }
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
    name === 'authorization' && token !== undefined ? `Bearer ${token}` : value,
  ])
  return { method, url, headers: Object.fromEntries(own), body }
}

/** Renders requests that were sent again, each with the differences of its response. */
function ReplayedRequests({ replayed }: { readonly replayed: readonly Replayed[] }) {
  const compared = replayed.map((one) => {
    const count = listDifferences(one.before.body, one.after.body).length
    return { ...one, count, isChanged: count > 0 || one.before.status !== one.after.status }
  })
  const changed = compared.filter(({ isChanged }) => isChanged)
  return (
    <div class="replayed" aria-live="polite">
      <p>
        <b>
          {changed.length} of {replayed.length}
        </b>{' '}
        {replayed.length === 1 ? 'response' : 'responses'} changed.
      </p>
      {changed.map(({ request, before, after, count }) => (
        <details key={request.id} open={changed.length === 1}>
          <summary>
            <StatusTag status={before.status} /> → <StatusTag status={after.status} /> {request.method}{' '}
            {request.path} <span class="hint">{plural(count, 'difference')}</span>
          </summary>
          <p>
            <RequestLink id={request.id}>Request {request.id}</RequestLink>
          </p>
          <Differences before={before.body} after={after.body} />
        </details>
      ))}
    </div>
  )
}

interface ReplayButtonProps {
  readonly class: string
  /** The name of the copy. */
  readonly name: string
  /** Lists the requests to send. Order: as they were sent. */
  readonly list: () => readonly RequestSummary[] | Promise<readonly RequestSummary[]>
  /** The assumptions of the copy that differ. */
  readonly assumptions?: object
  readonly keepsFaults?: boolean
  readonly children: ComponentChildren
}

/** Renders a button that sends requests again in a copy of the session, and how the responses have changed. */
export function ReplayButton({ name, list, assumptions, keepsFaults = true, ...button }: ReplayButtonProps) {
  const { members } = useCast()
  const [isBusy, setBusy] = useState(false)
  const [{ fork, replayed, error }, setOutcome] = useState<ReplayOutcome>({})
  const run = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      const requests = await list()
      const { id } = await change(prepareFork({ name: name.slice(0, 200), assumptions }))
      if (!keepsFaults) await read({ ...prepare('delete', routes.faults), session: id })
      setOutcome({ fork: id, replayed: await replay(requests, id, members) })
    } catch (failure) {
      setOutcome({ error: failure })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button {...button} aria-disabled={isBusy} run={run} />
      <Problem error={error} />
      {replayed && <ReplayedRequests replayed={replayed} />}
      {fork !== undefined && (
        <Button class="small" run={() => switchSession(fork)}>
          Switch to {fork}, a fork of this session
        </Button>
      )}
    </>
  )
}

interface ReplayOutcome {
  readonly fork?: string
  readonly replayed?: readonly Replayed[]
  readonly error?: unknown
}
