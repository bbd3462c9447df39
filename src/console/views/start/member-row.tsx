import type { MemberVisibility, ScopeCounts } from '../../../control/visibility.ts'
import { useCast } from '../../parts/cast.ts'
import { Copy } from '../../parts/copy.tsx'
import { numberText } from '../../parts/number.ts'
import type { Found } from './people.ts'

interface MemberRowProps {
  readonly member: Found['members'][number]
  /** Undefined until it is known. */
  readonly sight: MemberVisibility | undefined
}

/** A member of the cast, to choose. */
export function MemberRow({ member, sight }: MemberRowProps) {
  const { member: chosen, choose } = useCast()
  const { id, name, role, token } = member
  const isChosen = token === chosen?.token
  return (
    <tr class={isChosen ? 'is-chosen' : undefined}>
      <th scope="row">
        <label>
          <input type="radio" name="cast" checked={isChosen} onChange={() => choose(token)} /> {name}
        </label>
      </th>
      <td class="start-token">
        <code>{token}</code> <Copy text={token} what={`the token of ${name}`} />
      </td>
      <td class="start-role">{role}</td>
      <td class="number start-id">{id}</td>
      <Counts of="Customers" counts={sight?.customers} />
      <Counts of="Signals" counts={sight?.signals} />
    </tr>
  )
}

const scopes = ['mine', 'team', 'all'] as const

function Counts({ of, counts }: { readonly of: string; readonly counts: ScopeCounts | undefined }) {
  return (
    <>
      {scopes.map((scope) => (
        <td key={scope} class="number" data-of={scope === 'mine' ? of : undefined} data-scope={scope}>
          {counts ? numberText(counts[scope]) : '…'}
        </td>
      ))}
    </>
  )
}
