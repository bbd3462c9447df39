import { useState } from 'preact/hooks'

import { useRead } from '../../calls.ts'
import { prepare, routes, baseUrl, formatCurl } from '../../client.ts'
import { Code, Copyable } from '../../components/copy.tsx'
import { type Status, StatusTag, formatNumber } from '../../components/format.tsx'
import { MemberSelect, useCast, type CastMember, toRequest } from '../../components/service.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Button, Card, Facts, Problem, useMore } from '../../components/ui.tsx'
import { linkTo } from '../../place.ts'

export function StartView() {
  return (
    <>
      <h1>A mock of the Workspace REST Service</h1>
      <p class="hint">
        Point your application at the base URL with the token of a member. Traffic shows its requests as they
        arrive, each with the reason for its response; Control decides which of them fail, and how.
      </p>
      <CallCard />
      <Members />
    </>
  )
}

function CallCard() {
  const { member, error } = useCast()
  const { organizationId = '', token = '' } = member ?? {}
  const path = `/organizations/${encodeURIComponent(organizationId)}/customers?limit=5`
  const request = toRequest(path, token)
  const [status, setStatus] = useState<Status>()
  const send = async (): Promise<void> => {
    const response = await fetch(request.url, { headers: request.headers }).catch(() => undefined)
    setStatus(response?.status ?? 'no response')
  }
  return (
    <Card title="Call the service">
      <Facts
        facts={{
          'Base URL': <Copyable text={baseUrl()} subject="the base URL" />,
          Token: <Copyable text={token} subject="the token" />,
        }}
      />
      <Problem error={error} />
      <MemberSelect label="As" />
      <Code text={formatCurl(request)} subject="the command" />
      <p class="row">
        <Button class="primary" run={send}>
          Try it
        </Button>
        <output>{status && <StatusTag status={status} />}</output>
        <span class="hint">
          A real request: faults act on it, and <a href={linkTo('traffic')}>Traffic</a> shows it.
        </span>
      </p>
    </Card>
  )
}

function Members() {
  const { members, error } = useCast()
  const visibility = useRead(prepare('get', routes.visibility))
  const findSeen = ({ id }: CastMember) => visibility.value?.items.find(({ memberId }) => memberId === id)
  const [shown, more] = useMore(members, 12)
  const counts = (['customers', 'signals'] as const).flatMap((list) =>
    (['mine', 'team', 'all'] as const).map((scope): Column<CastMember> => ({
      label: `${list}: ${scope}`,
      look: 'number',
      isMinor: true,
      share: (one) => (100 * (findSeen(one)?.[list][scope] ?? 0)) / (findSeen(one)?.[list].all || 1),
      render: (one) => (
        <a href={linkTo('data', [list], { member: `${one.id}`, scope })}>
          {formatNumber(findSeen(one)?.[list][scope]) || '…'}
        </a>
      ),
    })),
  )
  const columns: readonly Column<CastMember>[] = [
    { label: 'Member', look: 'name', title: ({ name }) => name, render: ({ name }) => name },
    { label: 'Role', isMinor: true, title: ({ role }) => role, render: ({ role }) => role },
    {
      label: 'Token',
      look: 'name',
      title: ({ token }) => token,
      render: ({ token, name }) => <Copyable text={token} subject={`the token of ${name}`} />,
    },
    ...counts,
  ]
  return (
    <Card title="Members and tokens">
      <Problem error={error ?? visibility.error} />
      <Table caption="Members" columns={columns} rows={shown} getKey={({ token }) => token} />
      {more}
    </Card>
  )
}
