import type { Credentials } from '../../sessions/credentials.ts'
import { prepare, routes } from '../client.ts'
import { param, setQuery } from '../place.ts'
import { Select } from './form.tsx'
import { useRead } from './use-calls.ts'

export interface CastMember {
  readonly organizationId: string
  readonly organizationName: string
  readonly id: number
  readonly name: string
  readonly role: string
  readonly token: string
}

export interface Cast {
  /** Order: as in the credentials; empty until they are known. */
  readonly organizations: Credentials['organizations']
  readonly members: readonly CastMember[]
  readonly invalidTokens: readonly string[]
  /** The member in the URL, or the default caller; undefined until the credentials are loaded. */
  readonly member: CastMember | undefined
  readonly error: unknown
}

export function useCast(): Cast {
  const { value, error } = useRead(prepare('get', routes.credentials))
  const { organizations = [], invalidTokens = [] } = value ?? {}
  const members = organizations.flatMap(({ id: organizationId, name: organizationName, members: own }) =>
    own.map((member) => ({ organizationId, organizationName, ...member })),
  )
  const member = members.find(({ id }) => `${id}` === param('member')) ?? members[0]
  return { organizations, members, invalidTokens, member, error }
}

/** Selects the member that the page acts as; links keep it. */
export const chooseMember = (id: string | number): void => setQuery({ member: `${id}` })

/** Selects the member that the page acts as; without the roles in narrow places. */
export function MemberSelect({ label, isBrief }: { label: string; isBrief?: boolean }) {
  const { members, member } = useCast()
  const options = members.map(({ id, name, role, organizationId }) => [
    id,
    isBrief ? `${name} (${organizationId})` : `${name} · ${role} (${organizationId})`,
  ])
  return (
    <Select
      label={label}
      value={`${member?.id ?? ''}`}
      set={chooseMember}
      options={Object.fromEntries(options)}
    />
  )
}
