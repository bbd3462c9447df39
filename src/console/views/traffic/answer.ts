import type { Explanation } from '../../../explain/explain.ts'
import type { JournalEntry, RecordedMessage } from '../../../journal/view.ts'
import { type Call, read } from '../../calls.ts'
import { atRecord, prepare, prepareFork, routes, setClock } from '../../client.ts'
import type { Cast } from '../../components/cast.tsx'
import { parseJson, parseValue } from '../../components/schema.ts'
import { sendToService } from '../../components/service.tsx'
import type { Status } from '../../components/status.tsx'
import { type HttpRequest, baseUrl } from '../../curl.ts'
import {
  type Levers,
  type Sent,
  addLine,
  applyToRequest,
  getParameter,
  listMoves,
  withParameter,
} from './levers.ts'

interface Recorded extends Pick<JournalEntry, 'status' | 'durationMs'> {
  readonly response?: Partial<RecordedMessage> | undefined
}

export interface Answer {
  readonly status: Status
  readonly text: string
  readonly body: unknown
  readonly durationMs: number | undefined
}

const createAnswer = (status: Status, text: string, durationMs?: number): Answer => ({
  status,
  text,
  body: text === '' ? undefined : parseValue(text),
  durationMs,
})

/** Converts a recorded response, whose body may not be known as a whole. */
export function toAnswer({ status, durationMs, response: { body = '', truncated } = {} }: Recorded): Answer {
  return createAnswer(status, truncated ? '' : body, durationMs)
}

const readIn = <T>(session: string, call: Call<T>): Promise<T> => read({ ...call, session })

/** Opens a fork with the levers moved, and deletes it after its use, unless it is kept. Errors: RequestError. */
export async function withFork<T>(
  levers: Levers,
  clock: string,
  act: (session: string) => Promise<T>,
  keeps = false,
): Promise<T> {
  const assumptions = levers.assume === undefined ? undefined : parseJson(levers.assume)?.json
  const { id } = await read(prepareFork({ name: 'what if', assumptions }))
  let isKept = false
  try {
    const calls = [setClock(clock), ...listMoves(levers).map(({ call }) => call)]
    // oxlint-disable-next-line no-await-in-loop -- each change may depend on those before it
    for (const call of calls) await readIn<unknown>(id, call)
    const found = await act(id)
    isKept = keeps
    return found
  } finally {
    // A fork that cannot be deleted expires.
    if (!isKept) {
      await read(prepare('delete', routes.sessions[':id'], { param: { id } })).catch(() => undefined)
    }
  }
}

const PREFIX = '/v1'

type Callers = Pick<Cast, 'members' | 'invalidTokens'>

/** Finds the token of a member; for a request that belongs to nobody, another that is invalid as well. */
export const findToken = (as: string, { members, invalidTokens }: Callers) =>
  as === '' ? invalidTokens[0] : members.find(({ id }) => `${id}` === as)?.token

/** Headers that clients add themselves, or that concern only the connection or the session. */
const OWN =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|upgrade|expect|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|priority|dnt|cookie|sandbox-session|sec-.*)$/

/**
 * Converts a request to one that `fetch` sends to a session.
 * @param token replaces the `***` of the journal; undefined if unknown
 */
export function toHttp(
  { method, target, body, headers }: Sent,
  session: string | undefined,
  token: string | undefined,
): HttpRequest {
  const own = Object.entries(headers).flatMap(([name, value]) => {
    const isToken = name === 'authorization' && token !== undefined
    return OWN.test(name) ? [] : [[name, isToken ? value.replace('***', token) : value]]
  })
  const url = baseUrl(session) + target.slice(PREFIX.length)
  return { method, url, headers: Object.fromEntries(own), body }
}

export async function send(
  sent: Sent,
  session: string | undefined,
  token: string | undefined,
): Promise<Answer> {
  try {
    const { status, text } = await sendToService(toHttp(sent, session, token))
    return createAnswer(status, text)
  } catch {
    return createAnswer('no response', '')
  }
}

/** The place of a record in a response: on another page if it only matches. */
export type Sight = 'included' | 'on another page' | 'missing'

/** A move of levers that was tried, and the place of the record in the response after it. */
export interface Way {
  readonly label: string
  readonly levers: Levers
  readonly sight: Sight
}

export interface Outcome {
  readonly base: Answer
  readonly answer: Answer
  readonly explanation: Explanation | undefined
  readonly ways: readonly Way[]
}

export interface Question {
  readonly sent: Sent
  readonly levers: Levers
  /** The response to show without sending the request. */
  readonly resting?: Answer | undefined
  readonly record: number | undefined
  readonly collection: string | undefined
  readonly scopes: readonly string[]
}

/** Answers a request in disposable forks, and tries which moves of levers would change the place of a record. Errors: RequestError. */
export async function ask(question: Question, cast: Callers): Promise<Outcome> {
  const { sent, levers, resting } = question
  const moved = applyToRequest(sent, levers)
  const isMoved = Object.keys(levers).length > 0
  const base = isMoved
    ? await withFork({}, sent.clock, (fork) => send(sent, fork, findToken(sent.as, cast)))
    : undefined
  return withFork(levers, sent.clock, async (fork) => {
    const { explanation, ways } = await explain({ ...question, sent: moved }, fork, cast)
    if (resting) return { base: resting, answer: resting, explanation, ways }
    const found = await send(moved, fork, findToken(moved.as, cast))
    const { items } = await readIn(fork, prepare('get', routes.requests, { query: { bodies: 'false' } }))
    const answer = { ...found, durationMs: items.at(-1)?.durationMs }
    return { base: base ?? answer, answer, explanation, ways }
  })
}

const getSight = ({ included, place }: Explanation): Sight =>
  included ? 'included' : place ? 'on another page' : 'missing'

/** The number of members to try; each costs a call. */
const TRIED = 8

async function explain(
  { sent, levers, record, collection, scopes }: Question,
  fork: string,
  cast: Callers,
): Promise<Pick<Outcome, 'explanation' | 'ways'>> {
  if (sent.method !== 'GET') return { explanation: undefined, ways: [] }
  const explainAs = ({ as, target }: Pick<Sent, 'as' | 'target'>, session = fork): Promise<Explanation> => {
    const token = findToken(as, cast) ?? ''
    const json = { path: target, token, ...(record !== undefined && { id: record }) }
    return readIn(session, prepare('post', routes.explain, { json }))
  }
  const explanation = await explainAs(sent)
  if (record === undefined || collection === undefined) return { explanation, ways: [] }
  const failed = explanation.conditions.filter(({ holds }) => holds === false).map(({ name }) => name)
  const changes = listChanges(sent, explanation, failed, scopes, cast)
  const tried = changes.map(async ([label, change]): Promise<Way> => {
    return { label, levers: change, sight: getSight(await explainAs(applyToRequest(sent, change))) }
  })
  const role =
    failed.join() === 'scope' ? await offerRole({ sent, levers, record, collection }, fork, cast) : undefined
  const given = role && {
    ...role,
    sight: await withFork({ ...levers, ...role.levers }, sent.clock, async (other) =>
      getSight(await explainAs(sent, other)),
    ),
  }
  return { explanation, ways: [...(given ? [given] : []), ...(await Promise.all(tried))] }
}

/** Lists changes of a request that may show a record: another page, scope or caller, or fewer parameters. */
function listChanges(
  { target, as }: Sent,
  { included, place }: Explanation,
  failed: readonly string[],
  scopes: readonly string[],
  { members }: Callers,
): readonly (readonly [label: string, change: Levers])[] {
  const { offset } = place ?? {}
  const set = (name: string, value: string): Levers => ({ target: withParameter(target, name, value) })
  const without = (...names: readonly string[]): readonly [string, Levers] => [
    `without ${names.join(' and ')}`,
    { target: names.reduce((rest, name) => withParameter(rest, name, undefined), target) },
  ]
  const dropped = failed.filter((name) => name !== 'scope' && getParameter(target, name) !== null)
  const own = members.find(({ id }) => `${id}` === as)?.organizationId
  const others = members.filter(({ id, organizationId }) => organizationId === own && `${id}` !== as)
  return [
    ...(included === false && offset !== undefined
      ? [[`on the page with offset=${offset}`, set('offset', `${offset}`)] as const]
      : []),
    ...scopes
      .filter((scope) => scope !== (getParameter(target, 'scope') ?? 'all'))
      .map((scope) => [`with scope=${scope}`, set('scope', scope)] as const),
    ...dropped.map((name) => without(name)),
    ...(failed.length > 1 && dropped.length > 0 ? [without(...dropped, 'scope')] : []),
    ...others.slice(0, TRIED).map(({ id, name }) => [`as ${name}`, { as: `${id}` }] as const),
  ]
}

async function offerRole(
  { sent, levers, record, collection }: Omit<Question, 'scopes'>,
  fork: string,
  { members }: Callers,
): Promise<Omit<Way, 'sight'> | undefined> {
  interface Stored {
    readonly name?: string
    readonly customerId?: number
    readonly memberRoles?: readonly { readonly key: string; readonly members?: readonly { id: number }[] }[]
  }
  const readRecord = (name: string, id: number): Promise<Stored> =>
    readIn(fork, prepare('get', routes.data[':collection'][':id'], atRecord(name, id)))
  const caller = members.find(({ id }) => `${id}` === sent.as)
  const stored = await readRecord(collection ?? '', record ?? 0)
  const id = collection === 'customers' ? record : stored.customerId
  if (!caller || id === undefined) return undefined
  const { name, memberRoles = [] } = collection === 'customers' ? stored : await readRecord('customers', id)
  const [first] = memberRoles
  if (!first) return undefined
  const memberRolesThen = memberRoles.map(({ key, members: holders = [] }) => ({
    key,
    memberIds: [...holders.map((holder) => holder.id), ...(key === first.key ? [caller.id] : [])],
  }))
  const line = `customers/${id} ${JSON.stringify({ memberRoles: memberRolesThen })}`
  return {
    label: `if ${caller.name} had a role on ${name ?? `customer ${id}`}`,
    levers: { data: addLine(levers.data, line) },
  }
}
