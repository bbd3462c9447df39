import { invalidField, SandboxError } from '../../core/errors.ts'
import { addTo } from '../../core/maps.ts'
import type { Steps } from '../../core/slices.ts'
import { parseToken } from '../../service/tokens.ts'
import type { Session } from '../../sessions/session.ts'
import { forEachTable, type Row, type TableName } from '../../store/tables.ts'
import { Past, type Viewer } from './past.ts'
import { Read } from './reads.ts'
import { Lists } from './views.ts'
import { findWalks, type PageWalk } from './walks.ts'

/** The reads of a member's client. */
export interface Context extends Viewer {
  readonly reads: readonly Read[]
  readonly walks: readonly PageWalk[]
  readonly lists: Lists
  /** Parses the requests and their responses, one in a step, so that those that have shown a record are found. */
  readonly parse: () => Steps<void>
  readonly findShowing: (table: TableName, id: number) => readonly Read[]
  /** Finds the requests for a record by its path. */
  readonly findRequests: (table: TableName, id: number) => readonly Read[]
  /** The first request that is still known; undefined if all are. */
  readonly since: number | undefined
}

/** The requests of a session whose data can be rebuilt, and the past in which they were answered. */
export type Known = Pick<Context, 'past' | 'settings' | 'reads' | 'since'>

/** Returns a past whose changes are still to be added. */
export function findKnown(session: Session): Known {
  const { requests, data } = session
  const { firstKnown } = requests.deliveries
  const all = requests.deliveries.list()
  const commits = data.history.listLatest()
  // The data before a change that is forgotten, or before a snapshot was restored, cannot be rebuilt.
  const firstRevision = data.revision - commits.length
  const deliveries = all.slice(all.findLastIndex(({ arrived }) => arrived.revision < firstRevision) + 1)
  const moments = deliveries.flatMap(({ arrived, moment }) => [arrived, moment])
  const start = Math.min(data.revision, ...new Set(moments.map(({ revision }) => revision)))
  const next = (all.at(-1)?.id ?? firstKnown - 1) + 1
  const past = new Past(session, moments, commits.slice(start - firstRevision))
  return {
    past,
    settings: session.settings,
    reads: deliveries.map((delivery) => new Read(delivery, past)),
    since: deliveries.length === all.length && firstKnown === 1 ? undefined : (deliveries[0]?.id ?? next),
  }
}

const createIndex = () => forEachTable<Record<TableName, Map<number, Read[]>>>(() => new Map())

/** Finds what a member's client has read; the past must be open before anything of it is looked up. */
export function* createContext(known: Known, caller: Row<'members'>): Steps<Context> {
  const reads = known.reads.filter(({ delivery }) => delivery.caller.id === caller.id)
  const walks = yield* findWalks(reads)
  const showing = createIndex()
  const requests = createIndex()
  return {
    ...known,
    caller,
    reads,
    walks,
    lists: new Lists({ ...known, caller }),
    *parse() {
      for (const read of reads) {
        for (const id of read.rows?.keys() ?? []) addTo(showing[read.table], id, read)
        const named = Object.values(read.address?.path ?? {}).at(-1)
        const isSingle = !read.range && read.delivery.method === 'GET'
        if (isSingle && typeof named === 'number') addTo(requests[read.table], named, read)
        yield
      }
    },
    findShowing: (table, id) => showing[table].get(id) ?? [],
    findRequests: (table, id) => requests[table].get(id) ?? [],
  }
}

/**
 * Finds a member by a token or an id; by default the only caller of a session, or the first member if there is none.
 * @param place of the token or id in the request that names it
 */
export function findSyncCaller(
  session: Session,
  as: string | number | undefined,
  place: 'body' | 'query',
): Row<'members'> {
  const { data } = session
  const reject = (message: string): SandboxError => invalidField('as', message, place)
  const callers = new Set(session.requests.deliveries.list().map(({ caller }) => caller.id))
  if (as === undefined && callers.size > 1) {
    throw reject(`is required, because several members have sent requests: ${[...callers].join(', ')}`)
  }
  const [only] = callers
  const named = as ?? only
  if (named !== undefined) {
    const text = String(named).replace(/^bearer +/i, '')
    const token = parseToken(text)
    const member = data.get('members', token?.memberId ?? (/^\d{1,16}$/.test(text) ? Number(text) : 0))
    if (member && (!token || token.organizationId === member.organizationId)) return member
    throw reject('must be the token or the id of a member. GET /_sandbox/credentials lists both')
  }
  const [organization] = data.dataset.organizations
  const [first] = data.select('members', [['organizationId', organization?.id ?? '']]).page(0, 1)
  if (first) return first
  throw new SandboxError('conflict', 'The dataset has no members, so nobody can have a copy of it.')
}
