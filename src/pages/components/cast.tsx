import { useRead } from '../calls.ts'
import { prepare, routes } from '../client.ts'
import { param, setQuery } from '../place.ts'
import { Field } from './form.tsx'

export type CastMember = ReturnType<typeof useCast>['members'][number]

/** Reads the members; `member` is the one in the URL, or the default caller. Order: as in the credentials. */
export function useCast() {
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

/** @param chosen the id of the member; by default, the one of the page */
export function MemberSelect({ label, chosen }: { label: string; chosen?: number | undefined }) {
  const { members, member } = useCast()
  const options = members.map(({ id, name, organizationId }) => [id, `${name} (${organizationId})`])
  return (
    <Field
      label={label}
      value={`${chosen ?? member?.id ?? ''}`}
      set={chooseMember}
      options={Object.fromEntries(options)}
    />
  )
}
