import { baseUrl } from '../../parts/base-url.ts'
import { Card } from '../../parts/card.tsx'
import { type CastMember, useCast } from '../../parts/cast.ts'
import { Code } from '../../parts/code.tsx'
import { Copy } from '../../parts/copy.tsx'
import { MemberSelect } from '../../parts/member-select.tsx'
import { Problem } from '../../parts/problem.tsx'
import { showWith } from '../../parts/query.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { place, session } from '../../place.ts'
import { examplesFor, languages, snippetOf } from './snippets.ts'
import { TryIt } from './try-it.tsx'

/** The base URL, a token, and a call that works as it stands. */
export function CallCard() {
  const { member, error } = useCast()
  return (
    <Card title="Call the service">
      <dl class="start-facts start-call-facts">
        <dt>Base URL</dt>
        <dd>
          <code>{baseUrl()}</code> <Copy text={baseUrl()} what="the base URL" />
        </dd>
        {member && (
          <>
            <dt>Token</dt>
            <dd>
              <code>{member.token}</code> <Copy text={member.token} what="the token" />
            </dd>
          </>
        )}
      </dl>
      {session.value !== undefined && (
        <p class="hint">
          Or call <code>{`${location.origin}/v1`}</code> with the header{' '}
          <code>Sandbox-Session: {session.value}</code>.
        </p>
      )}
      <Problem error={error} />
      {member && <Snippets member={member} />}
    </Card>
  )
}

function Snippets({ member }: { readonly member: CastMember }) {
  const { query } = place.value
  const examples = examplesFor(member.organizationId)
  const example = examples.find(({ name }) => name === query.get('call')) ?? examples[0]
  const language = languages.find(({ name }) => name === query.get('as'))?.name ?? 'curl'
  const { token } = member
  return (
    <>
      <div class="row start-choices">
        <MemberSelect label="As" />
        <fieldset>
          <legend>Call</legend>
          {examples.map(({ name, label }) => (
            <label key={name}>
              <input
                type="radio"
                name="call"
                checked={name === example.name}
                onChange={() => showWith({ call: name })}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
      </div>
      <Tabs label="Language" tabs={languages} chosen={language} onChoose={(name) => showWith({ as: name })}>
        <Code text={snippetOf(language, example, { baseUrl: baseUrl(), token })} what="the snippet" />
      </Tabs>
      <TryIt key={`${session.value} ${token} ${example.path}`} path={example.path} token={token} />
    </>
  )
}
