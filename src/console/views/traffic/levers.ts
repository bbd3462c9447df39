import { RequestError, type Call } from '../../calls.ts'
import {
  advanceClock,
  atRecord,
  castBody,
  prepare,
  prepareFault,
  prepareScenario,
  routes,
  setClock,
} from '../../client.ts'
import { parseDuration } from '../../components/duration.ts'
import { parseJson } from '../../components/schema.ts'
import { place, setQuery } from '../../place.ts'

/** The parameters of the URL that hold levers: first those of the request, then those of the session. */
const requestLevers = ['as', 'method', 'target', 'body'] as const
const sessionLevers = ['clock', 'assume', 'fault', 'scenario', 'data'] as const
const names = [...requestLevers, ...sessionLevers]

export type Levers = Readonly<Partial<Record<(typeof names)[number], string>>>

export const ownParameters: readonly string[] = [...names, 'record', 'field', 'of', 'seed', 'revision']

export interface Sent {
  readonly method: string
  /** Path and query, from `/v1` on. */
  readonly target: string
  /** The id of its caller; empty if it belongs to nobody. */
  readonly as: string
  readonly clock: string
  readonly body?: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export const readLevers = (): Levers =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = place.value.query.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

/** Moves levers; an empty text returns one to its place. */
export const move = (levers: Levers): void => setQuery({ ...levers })

/** Builds the target with another value of a query parameter; undefined removes it. */
export function withParameter(target: string, name: string, value: string | undefined): string {
  const { pathname, searchParams } = new URL(target, 'http://sandbox')
  searchParams.delete(name)
  if (value !== undefined) searchParams.set(name, value)
  return `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`
}

export const getParameter = (target: string, name: string): string | null =>
  new URL(target, 'http://sandbox').searchParams.get(name)

export function applyToRequest(sent: Sent, levers: Levers): Sent {
  const { as = sent.as, method = sent.method, target = sent.target, body = sent.body } = levers
  return { ...sent, as, method, target, body }
}

/** The first line of changed records if all others are as in the dataset. */
export const AS_IN_DATASET = 'dataset'

export const addLine = (data: string | undefined, line: string): string =>
  [data, line].filter(Boolean).join('\n')

/** Parses lines such as `customers/3 {"name": "Larkspur"}`; the patch null deletes the record. Errors: RequestError. */
function parseEdits(text = '') {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '' || line === AS_IN_DATASET) return []
    const at = line.trim().indexOf(' ')
    const [collection = '', id] = line.trim().slice(0, at).split('/')
    const json = line.trim().slice(at + 1)
    const patch = parseJson(json)
    if (!Number.isSafeInteger(Number(id)) || !patch) {
      throw new RequestError(
        0,
        `Write a changed record as \`customers/3 {"name": "Larkspur"}\` (got \`${line}\`).`,
      )
    }
    return [{ collection, id: Number(id), patch: patch.json }]
  })
}

/** A call that moves a lever of a session, and the statement that does so in a test; empty if a test needs none. */
interface Move {
  readonly call: Call
  readonly statement: string
}

/** Lists the moves of the levers of a session. Order: as they are made. Errors: RequestError. */
export function listMoves({ clock, fault, scenario, data }: Levers): readonly Move[] {
  const moves: Move[] = []
  const add = (call: Call, statement = ''): number => moves.push({ call, statement })
  if (data?.startsWith(AS_IN_DATASET)) add(prepare('delete', routes.data.changes, { query: {} }))
  for (const { collection, id, patch } of parseEdits(data)) {
    const route = routes.data[':collection'][':id']
    const at = atRecord(collection, id)
    const records = `await sandbox.data.${collection}`
    if (patch === null) add(prepare('delete', route, at), `${records}.delete(${id})`)
    else
      add(
        prepare('patch', route, { ...at, json: castBody(patch) }),
        `${records}.patch(${id}, ${JSON.stringify(patch)})`,
      )
  }
  const by = parseDuration(clock ?? '')
  if (by !== undefined) add(advanceClock(by), `sandbox.clock.advance(${JSON.stringify(by)})`)
  else if (clock !== undefined) add(setClock(clock), `sandbox.clock.set(${JSON.stringify(clock)})`)
  if (fault !== undefined) add(prepare('delete', routes.faults))
  if (fault !== undefined && fault !== 'none') {
    add(prepareFault(castBody(parseJson(fault)?.json)), `sandbox.faults.add(${fault})`)
  }
  if (scenario !== undefined) {
    const statement = `sandbox.scenarios.add({ name: ${JSON.stringify(scenario)} })`
    add(prepareScenario({ name: scenario }), statement)
  }
  return moves
}

export function parseSent(text: string, now: string | undefined): Sent | undefined {
  const { method = 'GET', target, as = '', clock = now, body } = { ...Object(parseJson(text)?.json) }
  if (typeof target !== 'string' || !/^\/v1\/[^#]*$/.test(target) || typeof clock !== 'string')
    return undefined
  const hasBody = typeof body === 'string'
  const headers = { authorization: 'Bearer ***', ...(hasBody && { 'content-type': 'application/json' }) }
  return { method: String(method), target, as: String(as), clock, headers, ...(hasBody && { body }) }
}
