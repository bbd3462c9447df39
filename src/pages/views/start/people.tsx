import { useState } from 'preact/hooks'

import type { MemberVisibility } from '../../../lab/explain/visibility.ts'
import { prepare, routes } from '../../client.ts'
import { type CastMember, chooseMember, useCast } from '../../components/cast.tsx'
import { Copy } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Button, Card, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'

/** The lists that have a scope. Order: as shown. */
const sights = (['customers', 'signals'] as const).flatMap((list) =>
  (['mine', 'team', 'all'] as const).map((scope) => ({ list, scope })),
)

const SHOWN = 12

/** Renders the members with their tokens, and how much each of them sees by scope. */
export function People() {
  const { members, invalidTokens, member, error } = useCast()
  const [isWhole, setWhole] = useState(false)
  const visibility = useRead(prepare('get', routes.visibility))
  const shown = members.filter((one, at) => isWhole || at < SHOWN || one.id === member?.id)
  const rest = members.length - shown.length
  return (
    <Card title="Members and tokens">
      <Problem error={error ?? visibility.error} />
      <table class="people is-stacked">
        <thead>
          <tr>
            {['Member', 'Role', 'Organization', 'Token'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {sights.map(({ list, scope }) => (
              <th key={list + scope} scope="col" class="number">
                {list}: {scope}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <MemberRow
              key={one.token}
              member={one}
              isChosen={one.id === member?.id}
              sees={visibility.value?.items.find(({ memberId }) => memberId === one.id)}
            />
          ))}
        </tbody>
      </table>
      {rest > 0 && <Button run={() => setWhole(true)}>Show {rest} more</Button>}
      {invalidTokens.length > 0 && (
        <p class="row">
          <span class="hint">Tokens that always get 401:</span>
          {invalidTokens.map((token) => (
            <span key={token}>
              <code>{token}</code> <Copy text={token} subject={`the token ${token}`} />
            </span>
          ))}
        </p>
      )}
    </Card>
  )
}

interface MemberRowProps {
  readonly member: CastMember
  readonly isChosen: boolean
  readonly sees: MemberVisibility | undefined
}

function MemberRow({ member, isChosen, sees }: MemberRowProps) {
  const { id, name, role, token, organizationId } = member
  return (
    <tr class={isChosen ? 'is-chosen' : undefined}>
      <th scope="row">
        <label>
          <input type="radio" name="member" checked={isChosen} onChange={() => chooseMember(id)} /> {name}
        </label>
      </th>
      <td>{role}</td>
      <td>{organizationId}</td>
      <td>
        <code>{token}</code> <Copy text={token} subject={`the token of ${name}`} />
      </td>
      {sights.map(({ list, scope }) => (
        <td key={list + scope} class="number" data-label={`${list}: ${scope}`}>
          <a href={linkTo('data', [list], { member: `${id}`, scope })}>
            {sees ? formatNumber(sees[list][scope]) : '…'}
          </a>
        </td>
      ))}
    </tr>
  )
}
