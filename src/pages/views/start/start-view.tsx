import { MemberSelect, useCast } from '../../components/cast.tsx'
import { Code, Copy } from '../../components/code.tsx'
import { Select } from '../../components/form.tsx'
import { TryIt, toRequest } from '../../components/service.tsx'
import { Card, Facts, Problem } from '../../components/ui.tsx'
import { baseUrl, formatCurl } from '../../curl.ts'
import { linkTo, param, session, setQuery } from '../../place.ts'
import { DatasetFacts } from '../control/dataset-page.tsx'
import { Members } from './members.tsx'

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
  const calls = {
    me: ['Who am I?', '/members/me'],
    customers: ['List customers', `/organizations/${encodeURIComponent(organizationId)}/customers?limit=5`],
  } as const
  const call = param('call') === 'customers' ? 'customers' : 'me'
  const [, path] = calls[call]
  const facts = [
    ['Base URL', baseUrl(), 'the base URL'],
    ['Token', token, 'the token'],
  ] as const
  return (
    <Card title="Call the service">
      <Facts
        facts={facts.map(([name, text, subject]) => [
          name,
          <>
            <code>{text}</code> <Copy text={text} subject={subject} />
          </>,
        ])}
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
        <Select
          label="Call"
          value={call}
          set={(one) => setQuery({ call: one })}
          options={{ me: calls.me[0], customers: calls.customers[0] }}
        />
      </div>
      <Code text={formatCurl(toRequest(path, token))} subject="the command" />
      <TryIt key={session.value + token + path} label="Try it" path={path} token={token} />
    </Card>
  )
}
