import { type CastMember, MemberSelect, useCast } from '../../components/cast.tsx'
import { Code, Copy } from '../../components/code.tsx'
import { Select } from '../../components/form.tsx'
import { TryIt } from '../../components/service.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Card, Facts, Problem } from '../../components/ui.tsx'
import { baseUrl } from '../../curl.ts'
import { param, session, setQuery } from '../../place.ts'
import { formatSnippet, languages, listExamples } from './snippets.ts'

/** Renders the base URL, a token, and a call that works when pasted. */
export function CallCard() {
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

function Snippets({ member: { organizationId, token } }: { readonly member: CastMember }) {
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
        <Code text={formatSnippet(language, example, { baseUrl: baseUrl(), token })} subject="the snippet" />
      </Tabs>
      <TryIt key={session.value + token + example.path} label="Try it" path={example.path} token={token} />
    </>
  )
}
