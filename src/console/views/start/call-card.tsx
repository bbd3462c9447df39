import { useState } from 'preact/hooks'

import type { Preview } from '../../../explain/preview.ts'
import { read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { announce } from '../../components/announcer.tsx'
import { Card } from '../../components/card.tsx'
import { type CastMember, useCast } from '../../components/cast.ts'
import { Code, Copy } from '../../components/code.tsx'
import { Json } from '../../components/json.tsx'
import { MemberSelect } from '../../components/member-select.tsx'
import { Problem } from '../../components/problem.tsx'
import { StatusTag } from '../../components/status.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { baseUrl } from '../../curl.ts'
import { place, session, setQuery } from '../../place.ts'
import { listExamples, languages, formatSnippet } from './snippets.ts'

/** Renders the base URL, a token and a working call. */
export function CallCard() {
  const { member, error } = useCast()
  return (
    <Card title="Call the service">
      <dl class="start-facts start-call-facts">
        <dt>Base URL</dt>
        <dd>
          <code>{baseUrl()}</code> <Copy text={baseUrl()} subject="the base URL" />
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
  const examples = listExamples(member.organizationId)
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
      <TryIt key={`${session.value} ${token} ${example.path}`} path={example.path} token={token} />
    </>
  )
}

interface Tried {
  readonly preview?: Preview
  readonly error?: unknown
}

/** Renders a button that previews the response below the call. */
function TryIt({ path, token }: { readonly path: string; readonly token: string }) {
  const [{ preview, error }, setTried] = useState<Tried>({})
  const tryIt = async (): Promise<void> => {
    try {
      const response = await read(prepare('post', routes.preview, { json: { path, token } }))
      setTried({ preview: response })
      announce(`Responded with ${response.status}.`)
    } catch (failure) {
      setTried({ error: failure })
    }
  }
  return (
    <div class="start-try">
      <div class="row">
        <button type="button" class="primary" onClick={() => void tryIt()}>
          Try it
        </button>
        <p class="hint">Previews the response. Nothing is recorded, and no fault is used up.</p>
      </div>
      <Problem error={error} />
      {preview && (
        <section aria-label="Response">
          <p>
            <StatusTag status={preview.status} /> <code>{preview.request}</code>
          </p>
          {preview.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
          <Json value={preview.body} />
        </section>
      )}
    </div>
  )
}
