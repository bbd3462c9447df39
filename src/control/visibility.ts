import { pathNames } from '../contract/operation.ts'
import { querySchema } from '../contract/query.ts'
import type { Endpoint, InputOf } from '../resources/endpoint.ts'
import { endpoints, type operations } from '../resources/index.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'
import type { Scope } from '../store/visibility.ts'
import type { Credentials } from './credentials.ts'
import type { Session } from './sessions/session.ts'
import { Remembered } from './visibility-data.ts'

type Operations = typeof operations

/** The operations that take a scope. */
type ScopedId = {
  [Id in keyof Operations]: 'scope' extends keyof InputOf<Operations[Id]> ? Id : never
}[keyof Operations]

/** What a list is of: `customers` for `listCustomers`. */
type Listed<Id extends string> = Id extends `list${infer Name}` ? Uncapitalize<Name> : Id

/** How many records each scope covers. */
export type ScopeCounts = { readonly [S in Scope]: number }

/** How much a member sees: of each list that takes a scope, how many records there are in each. */
export type MemberVisibility = {
  readonly organizationId: string
  readonly memberId: number
  readonly name: string
} & { readonly [Id in ScopedId as Listed<Id>]: ScopeCounts }

/** How much everybody sees. Order: as in the credentials. */
export interface Visibility {
  readonly items: readonly MemberVisibility[]
  readonly totalCount: number
}

/** How much each member sees in a session: counted by the endpoints themselves, without faults, and without the journal. */
export function visibilityOf({ organizations }: Credentials, session: Session): Visibility {
  const data = new Remembered(session.data)
  const lists = scoped.map((endpoint) => {
    return { name: listed(endpoint.id), count: countsIn(endpoint, session, data) }
  })
  const items = organizations.flatMap(({ id: organizationId, members }) =>
    members.flatMap(({ id: memberId, name }) => {
      const caller = data.get('members', memberId)
      if (!caller) return []
      const counts = lists.map((list) => [list.name, list.count(caller)])
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the type
      return { organizationId, memberId, name, ...Object.fromEntries(counts) } as MemberVisibility
    }),
  )
  return { items, totalCount: items.length }
}

/** The lists that take a scope, and nothing else that has to be known. */
const scoped = endpoints.filter(
  ({ query, path }) =>
    'scope' in query.parameters && pathNames(path).every((name) => name === 'organizationId'),
)

function listed(id: string): string {
  const name = id.replace(/^list/, '')
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
}

/** Counts for a caller what an endpoint finds, as the service asks it. */
function countsIn(endpoint: Endpoint, session: Session, data: Data): (caller: Row<'members'>) => ScopeCounts {
  const { contract, clock } = session
  const { settings } = contract
  const operation = contract.of(endpoint)
  const schema = querySchema(operation.query)
  const asked = (scope: Scope) => operation.decodeQuery(schema.parse({ scope: [scope] }))
  const queries = { mine: asked('mine'), team: asked('team'), all: asked('all') }
  const now = () => clock.now()
  return (caller) => {
    const path = { organizationId: caller.organizationId }
    const count = (query: unknown): number => {
      const call = { path, query, body: undefined, record: undefined, caller, data, now, settings }
      const result = endpoint.handle(call)
      return 'total' in result ? result.total : 0
    }
    return { mine: count(queries.mine), team: count(queries.team), all: count(queries.all) }
  }
}
