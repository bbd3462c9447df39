import { useCast } from './cast.ts'

/** Chooses as whom the page looks at the service. */
export function MemberSelect({ label = 'Member' }: { readonly label?: string }) {
  const { organizations, member, choose } = useCast()
  return (
    <label class="field">
      {label}{' '}
      <select value={member?.token ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {organizations.map(({ id, name, members }) => (
          <optgroup key={id} label={`${name} (${id})`}>
            {members.map((one) => (
              <option key={one.token} value={one.token}>
                {one.name} · {one.role}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
