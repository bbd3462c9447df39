import { useCast } from './cast.ts'

interface MemberSelectProps {
  readonly label: string
  /** Leaves out what they are, where there is little room. */
  readonly isBrief?: boolean
}

/** Chooses as whom the page looks at the service. */
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
