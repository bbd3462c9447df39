import { useRead } from '../../calls.ts'
import { prepare, routes, baseUrl, formatCurl } from '../../client.ts'
import { Code, Copyable } from '../../components/copy.tsx'
import { ParamField } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { MemberSelect, useCast, type CastMember, TryIt, toRequest } from '../../components/service.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, Facts, Problem, useMore } from '../../components/ui.tsx'
import { linkTo, param, session, setQuery } from '../../place.ts'
import { DatasetFacts } from '../control/clock-and-dataset.tsx'

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
      <Card title="Dataset">
        <DatasetFacts />
        <p class="row">
          <a href={linkTo('control', ['dataset'])}>Reset or reseed</a>
          <a href="/openapi.json">OpenAPI document</a>
        </p>
      </Card>
    </>
  )
}

function CallCard() {
  const { member, error } = useCast()
  const { organizationId = '', token = '' } = member ?? {}
  const list = `/organizations/${encodeURIComponent(organizationId)}/customers?limit=5`
  const path = param('call') === '' ? '/members/me' : list
  return (
    <Card title="Call the service">
      <Facts
        look="facts is-list"
        facts={{
          'Base URL': <Copyable text={baseUrl()} subject="the base URL" />,
          Token: <Copyable text={token} subject="the token" />,
        }}
      />
      {session.value !== undefined && (
        <p class="hint">
          Or <code>{`${location.origin}/v1`}</code> with the header{' '}
          <code>Sandbox-Session: {session.value}</code>.
        </p>
      )}
      <Problem error={error} />
      <div class="row">
        <MemberSelect label="As" />
        <ParamField name="call" label="Call" options={{ '': 'Who am I?', customers: 'List customers' }} />
      </div>
      <Code text={formatCurl(toRequest(path, token))} subject="the command" />
      <TryIt key={session.value + token + path} path={path} token={token} />
    </Card>
  )
}

function Members() {
  const { members, invalidTokens, member, error } = useCast()
  const visibility = useRead(prepare('get', routes.visibility))
  const findSeen = ({ id }: CastMember) => visibility.value?.items.find(({ memberId }) => memberId === id)
  const [shown, more] = useMore(members, 12)
  const rows = members.filter((one) => shown.includes(one) || one === member)
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
    {
      label: 'Member',
      look: 'name',
      title: ({ name }) => name,
      render: ({ id, name }) => (
        <label>
          <input
            type="radio"
            name="member"
            checked={id === member?.id}
            onChange={() => setQuery({ member: `${id}` })}
          />{' '}
          {name}
        </label>
      ),
    },
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
      <Table caption="Members" columns={columns} rows={rows} getKey={({ token }) => token} />
      {more}
      {invalidTokens.length > 0 && (
        <p class="row">
          <span class="hint">Tokens that always get 401:</span>
          {invalidTokens.map((token) => (
            <span key={token}>
              <Copyable text={token} subject={`the token ${token}`} />
            </span>
          ))}
        </p>
      )}
    </Card>
  )
}
