import { MemberSelect, type CastMember, useCast } from '../../components/cast.tsx'
import { Code, Copy } from '../../components/code.tsx'
import { FailNext, useFailNext } from '../../components/fail-next.tsx'
import { Select } from '../../components/form.tsx'
import { formatDuration, formatNumber } from '../../components/format.tsx'
import { TryIt } from '../../components/service.tsx'
import { StatusTag } from '../../components/status.tsx'
import { Card, Facts, Problem, RequestLink, Tabs } from '../../components/ui.tsx'
import { baseUrl, formatCurl, shortenPath } from '../../curl.ts'
import { requests } from '../../live.ts'
import { linkTo, param, session, setQuery } from '../../place.ts'
import { DatasetFacts } from '../control/dataset-page.tsx'
import { People } from './people.tsx'

const SHOWN = 8

export function StartView() {
  return (
    <>
      <h1>A mock of the Workspace REST Service</h1>
      <p class="hint">
        Point your application at the base URL with the token of a member. Its requests appear here as they
        arrive, and you decide how they end.
      </p>
      <div class="columns">
        <CallCard />
        <div>
          <Watch />
          <Fail />
        </div>
      </div>
      <People />
      <DatasetFacts />
      <p class="row">
        <a href={linkTo('control', ['dataset'])}>Reset or reseed</a>
        <a href="/openapi.json">OpenAPI document</a>
      </p>
    </>
  )
}

function Watch() {
  const known = requests.value
  const latest = known.slice(-SHOWN).toReversed()
  return (
    <Card title="2. Watch the requests">
      {latest.length === 0 && (
        <p class="empty">None yet. Press “Try it”, or run the command in a terminal.</p>
      )}
      <ol class="list start-latest" aria-label="Latest requests">
        {latest.map(({ id, method, path, status, durationMs, caller }) => (
          <li key={id}>
            <StatusTag status={status} />
            <RequestLink id={id}>
              {method} {shortenPath(path)}
            </RequestLink>
            <span class="hint">{caller?.name}</span>
            <span class="hint">{durationMs !== undefined && formatDuration(durationMs)}</span>
          </li>
        ))}
      </ol>
      <p>
        <a href={linkTo('traffic')}>
          {known.length > latest.length ? `All ${formatNumber(known.length)} requests` : 'Traffic'}
        </a>
        : bodies, timing, warnings, and why each response is as it is.
      </p>
    </Card>
  )
}

function Fail() {
  const { waiting } = useFailNext()
  // A fault may also only delay a request.
  const failed = requests.value.findLast(({ fault, status }) => fault !== undefined && status !== 200)
  return (
    <Card title="3. Make one fail">
      <p>
        <output>
          {waiting
            ? 'The next request to the service fails with 503, and the one after it succeeds.'
            : 'Can your application handle a 503? The one after it succeeds again.'}
        </output>{' '}
        {!waiting && failed && (
          <>
            Last failed: <RequestLink id={failed.id} /> with {failed.status}.
          </>
        )}
      </p>
      <p class="row">
        <FailNext />
        <a href={linkTo('control', ['faults'])}>Delays, rate limits, broken connections</a>
      </p>
    </Card>
  )
}

function CallCard() {
  const { member, error } = useCast()
  const facts = { 'the base URL': baseUrl(), ...(member && { 'the token': member.token }) }
  return (
    <Card title="1. Call the service">
      <Facts
        facts={Object.entries(facts).map(([subject, text]) => [
          subject === 'the token' ? 'Token' : 'Base URL',
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
      {member && <Snippets member={member} />}
    </Card>
  )
}

function Snippets({ member: { organizationId, token } }: { member: CastMember }) {
  const examples = listExamples(organizationId)
  const example = examples.find(({ name }) => name === param('call')) ?? examples[0]
  const [language] = languages.find(([name]) => name === param('as')) ?? languages[0]
  const options = Object.fromEntries(examples.map(({ name, label }) => [name, label]))
  return (
    <>
      <div class="row">
        <MemberSelect label="As" />
        <Select label="Call" value={example.name} set={(call) => setQuery({ call })} options={options} />
      </div>
      <Tabs label="Language" tabs={languages} chosen={language} choose={(as) => setQuery({ as })}>
        <Code text={writers[language](example, { base: baseUrl(), token })} subject="the snippet" />
      </Tabs>
      <TryIt key={session.value + token + example.path} label="Try it" path={example.path} token={token} />
    </>
  )
}

interface Example {
  readonly name: string
  readonly label: string
  readonly path: string
  readonly expression: string
}

const languages = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
  ['client', 'Typed client'],
] as const
type Language = (typeof languages)[number][0]

function listExamples(organizationId: string): readonly [Example, ...Example[]] {
  const path = `/organizations/${encodeURIComponent(organizationId)}/customers?limit=5`
  const input = `{ organizationId: ${literal(organizationId)}, limit: 5 }`
  return [
    { name: 'me', label: 'Who am I?', path: '/members/me', expression: 'getCurrentMember()' },
    { name: 'customers', label: 'List customers', path, expression: `listCustomers(${input})` },
  ]
}

type Writer = (example: Example, caller: { readonly base: string; readonly token: string }) => string

const writers: Readonly<Record<Language, Writer>> = {
  curl: ({ path }, { base, token }) =>
    formatCurl({ method: 'GET', url: `${base}${path}`, headers: { Authorization: `Bearer ${token}` } }),
  javascript: ({ path }, { base, token }) => `const response = await fetch(${literal(`${base}${path}`)}, {
  headers: { Authorization: ${literal(`Bearer ${token}`)} },
})
console.log(response.status, await response.json())`,
  python: ({ path }, { base, token }) => `import json
from urllib.request import Request, urlopen

request = Request(
    ${literal(`${base}${path}`)},
    headers={"Authorization": ${literal(`Bearer ${token}`)}},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`,
  client: ({ expression }, { base, token }) => `import { createClient } from "workspace-sandbox/client"

const client = createClient({
  baseUrl: ${literal(base)},
  token: ${literal(token)},
})
console.log(await client.${expression})`,
}

const literal = (text: string): string => JSON.stringify(text)
