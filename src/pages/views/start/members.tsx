import { useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { type CastMember, chooseMember, useCast } from '../../components/cast.tsx'
import { Copy } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Button, Card, Problem } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'

/** The number of members to show at first. */
const SHOWN = 12

/** Renders the members with their tokens, and how much each of them sees by scope. */
export function Members() {
  const { members, invalidTokens, member, error } = useCast()
  const [isWhole, setWhole] = useState(false)
  const visibility = useRead(prepare('get', routes.visibility))
  const shown = members.filter((one, at) => isWhole || at < SHOWN || one.id === member?.id)
  const rest = members.length - shown.length
  const counts = (['customers', 'signals'] as const).flatMap((list) =>
    (['mine', 'team', 'all'] as const).map((scope): Column<CastMember> => ({
      label: `${list}: ${scope}`,
      look: 'number',
      isMinor: true,
      render: ({ id }) => {
        const sees = visibility.value?.items.find(({ memberId }) => memberId === id)
        return (
          <a href={linkTo('data', [list], { member: `${id}`, scope })}>
            {sees ? formatNumber(sees[list][scope]) : '…'}
          </a>
        )
      },
    })),
  )
  const columns: readonly Column<CastMember>[] = [
    {
      label: 'Member',
      title: ({ name }) => name,
      render: ({ id, name }) => (
        <label>
          <input type="radio" name="member" checked={id === member?.id} onChange={() => chooseMember(id)} />{' '}
          {name}
        </label>
      ),
    },
    { label: 'Role', isMinor: true, title: ({ role }) => role, render: ({ role }) => role },
    {
      label: 'Token',
      title: ({ token }) => token,
      render: ({ token, name }) => (
        <>
          <Copy text={token} subject={`the token of ${name}`} /> <code>{token}</code>
        </>
      ),
    },
    ...counts,
  ]
  return (
    <Card title="Members and tokens">
      <Problem error={error ?? visibility.error} />
      <Table caption="Members" columns={columns} rows={shown} getKey={({ token }) => token} />
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
