import { chooseMember, useCast } from './cast.ts'

interface MemberSelectProps {
  readonly label: string
  /** Omits the roles, for narrow places. */
  readonly isBrief?: boolean
}

/** Selects the member that the page acts as. */
export function MemberSelect({ label, isBrief = false }: MemberSelectProps) {
  const { organizations, member } = useCast()
  return (
    <label class="field">
      {label}{' '}
      <select value={member?.id} onChange={({ currentTarget }) => chooseMember(currentTarget.value)}>
        {organizations.map(({ id, name, members }) => (
          <optgroup key={id} label={`${name} (${id})`}>
            {members.map((one) => (
              <option key={one.id} value={one.id}>
                {isBrief ? one.name : `${one.name} · ${one.role}`}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
