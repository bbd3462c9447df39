import type { Credentials } from '../../sessions/credentials.ts'
import { prepare, routes } from '../client.ts'
import { place, setQuery } from '../place.ts'
import { useRead } from './use-calls.ts'

/** A member of the cast, with its organization. */
export interface CastMember {
  readonly organizationId: string
  readonly organizationName: string
  readonly id: number
  readonly name: string
  readonly role: string
  readonly token: string
}

/** The members of the page's session, and the one that the page acts as. */
export interface Cast {
  /** Order: as in the credentials; empty until they are known. */
  readonly organizations: Credentials['organizations']
  /** The members of all organizations. */
  readonly members: readonly CastMember[]
  readonly invalidTokens: readonly string[]
  /** The member in the URL, or the default caller; undefined until the credentials are loaded. */
  readonly member: CastMember | undefined
  /** The error of loading the credentials. */
  readonly error: unknown
}

/** Reads the cast of the page's session. */
export function useCast(): Cast {
  const { value, error } = useRead(prepare('get', routes.credentials))
  const organizations = value?.organizations ?? []
  const members = organizations.flatMap(({ id: organizationId, name: organizationName, members: own }) =>
    own.map((member) => ({ organizationId, organizationName, ...member })),
  )
  const id = place.value.query.get('member')
  const member = members.find((one) => String(one.id) === id) ?? members[0]
  return { organizations, members, invalidTokens: value?.invalidTokens ?? [], member, error }
}

/** Selects the member that the page acts as; links keep it. */
export const chooseMember = (id: string | number): void => setQuery({ member: String(id) })
