import { useCast } from './cast.ts'

interface MemberSelectProps {
  readonly label: string
  /** Omits the roles, for narrow places. */
  readonly isBrief?: boolean
}

/** Selects the member that the page acts as. */
export function MemberSelect({ label, isBrief = false }: MemberSelectProps) {
  const { organizations, member, choose } = useCast()
  return (
    <label class="field">
      {label}{' '}
      <select value={member?.token ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {organizations.map(({ id, name, members }) => (
          <optgroup key={id} label={`${name} (${id})`}>
            {members.map((one) => (
              <option key={one.token} value={one.token}>
                {isBrief ? one.name : `${one.name} · ${one.role}`}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
