import { type CastMember, useCast } from '../../components/cast.tsx'
import { MemberSelect } from '../../components/cast.tsx'
import { Code, Copy } from '../../components/code.tsx'
import { Card } from '../../components/layout.tsx'
import { Problem } from '../../components/problem.tsx'
import { TryIt } from '../../components/service.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { baseUrl } from '../../curl.ts'
import { place, session, setQuery } from '../../place.ts'
import { formatSnippet, languages, listExamples } from './snippets.ts'

/** Renders the base URL, a token, and a call that works when pasted. */
export function CallCard() {
  const { member, error } = useCast()
  return (
    <Card title="1. Call the service">
      <dl class="facts start-call">
        <dt>Base URL</dt>
        <dd>
          <code>{baseUrl()}</code> <Copy text={baseUrl()} subject="the base URL" />
          {session.value !== undefined && (
            <p class="hint">
              Or <code>{`${location.origin}/v1`}</code> with the header{' '}
              <code>Sandbox-Session: {session.value}</code>.
            </p>
          )}
        </dd>
        {member && (
          <>
            <dt>Token</dt>
            <dd>
              <code>{member.token}</code> <Copy text={member.token} subject="the token" />
            </dd>
          </>
        )}
      </dl>
      <Problem error={error} />
      {member && <Snippets member={member} />}
    </Card>
  )
}

function Snippets({ member }: { readonly member: CastMember }) {
  const { query } = place.value
  const examples = listExamples(member.organizationId)
  const example = examples.find(({ name }) => name === query.get('call')) ?? examples[0]
  const language = languages.find(({ name }) => name === query.get('as'))?.name ?? 'curl'
  const { token } = member
  return (
    <>
      <div class="row">
        <MemberSelect label="As" />
        <fieldset class="choices">
          <legend>Call</legend>
          {examples.map(({ name, label }) => (
            <label key={name}>
              <input
                type="radio"
                name="call"
                checked={name === example.name}
                onChange={() => setQuery({ call: name })}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
      </div>
      <Tabs label="Language" tabs={languages} chosen={language} onChoose={(name) => setQuery({ as: name })}>
        <Code text={formatSnippet(language, example, { baseUrl: baseUrl(), token })} subject="the snippet" />
      </Tabs>
      <TryIt
        key={`${session.value} ${token} ${example.path}`}
        label="Try it"
        path={example.path}
        token={token}
      />
    </>
  )
}
