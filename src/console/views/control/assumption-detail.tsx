import { useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import type { UsedAssumption } from '../../../explain/report.ts'
import type { RequestSummary } from '../../../journal/view.ts'
import { read } from '../../calls.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { MarkedJson } from '../../components/diff.tsx'
import { Form, Input, OtherErrors, Select } from '../../components/form.tsx'
import { plural } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { ReplayButton } from '../../components/replay.tsx'
import { toText, parseJson } from '../../components/schema.ts'
import { StatusTag } from '../../components/status.tsx'
import { Act, Card, Loaded, RequestLink } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { getTarget } from '../../curl.ts'
import { requests } from '../../live.ts'

const [OFFERED, REPLAYED] = [10, 20]

interface AssumptionDetailProps {
  readonly assumption: ListedAssumption
  /** Undefined if no request depends on it. */
  readonly use: UsedAssumption | undefined
  readonly isChanged: boolean
}

export function AssumptionDetail({ assumption, use, isChanged }: AssumptionDetailProps) {
  const { id, subject, decision, because, name, evidence, shapes } = assumption
  return (
    <Card title={`${id} ${subject}`}>
      <p>
        Default: {decision}. <span class="hint">Reason: {because}.</span>{' '}
        {isChanged && <span class="tag odd">overridden in this session</span>}
      </p>
      {evidence && (
        <p>
          Observed in a real tenant, in {plural(evidence.answers, 'answer')}
          {evidence.records > 0 && ` and ${plural(evidence.records, 'record')}`}.
        </p>
      )}
      {shapes && (
        <>
          <p>
            The fields come from the option <code>shapes</code> instead:
          </p>
          <Json value={shapes} openDepth={3} />
        </>
      )}
      {name === null ? (
        <p class="hint">This assumption cannot be overridden.</p>
      ) : (
        <Alternatives assumption={assumption} name={name} use={use} />
      )}
      {use && (
        <p>
          Used by {plural(use.count, 'request')} to {use.operations.join(', ')}:{' '}
          {use.requestIds.map((one) => (
            <>
              <RequestLink id={one}>{one}</RequestLink>{' '}
            </>
          ))}
          {use.count > use.requestIds.length && '…'}
        </p>
      )}
    </Card>
  )
}

interface AlternativesProps extends Pick<AssumptionDetailProps, 'assumption' | 'use'> {
  readonly name: string
}

function Alternatives({ assumption: { id, options, meanings, value }, name, use }: AlternativesProps) {
  const { members, member } = useCast()
  const [chosen, setChosen] = useState('')
  const recorded = requests.value.filter(({ method, caller }) => method === 'GET' && caller)
  const dependent = recorded.filter((one) => use?.requestIds.includes(one.id))
  // Keeps the latest of equal requests.
  const known = new Map((dependent.length > 0 ? dependent : recorded).map((one) => [getTarget(one), one]))
  const offered = [...known.values()].toSorted((a, b) => b.id - a.id).slice(0, OFFERED)
  const request = offered.find((one) => `${one.id}` === chosen) ?? offered[0]
  const token = members.find((one) => one.id === request?.caller?.id)?.token ?? member?.token
  const path = request ? getTarget(request) : `/organizations/${member?.organizationId}/customers?limit=2`
  return (
    <>
      {request ? (
        <Select
          label="The response to your request"
          value={`${request.id}`}
          set={setChosen}
          options={Object.fromEntries(offered.map((one) => [`${one.id}`, `${one.id}: ${getTarget(one)}`]))}
        />
      ) : (
        <p class="hint">
          No request yet. Shown is the response to <code>GET {path}</code>.
        </p>
      )}
      <div class="alternatives">
        {options.map((option, at) => (
          <Alternative
            key={meanings[at]}
            meaning={`${meanings[at]}${at === 0 ? ' (default)' : ''}`}
            to={{ [name]: option }}
            current={{ [name]: value }}
            request={{ path, token }}
            done={`Changed ${name} (${id}).`}
          />
        ))}
      </div>
      {typeof options.at(-1) === 'object' && (
        <OtherValue key={JSON.stringify(value)} name={name} value={value} done={`Changed ${name} (${id}).`} />
      )}
    </>
  )
}

const override = (to: object) => prepare('patch', routes.assumptions, { json: castBody(to) })

interface AlternativeProps {
  readonly meaning: string
  readonly to: object
  readonly current: object
  readonly request: { readonly path: string; readonly token: string | undefined }
  readonly done: string
}

/** Lists the latest requests that are over, as the sandbox knows them: the page learns of them a moment later. */
async function listLatest(): Promise<readonly RequestSummary[]> {
  const { items } = await read(prepare('get', routes.requests, { query: { bodies: 'false' } }))
  return items.filter(({ status }) => status !== 'pending').slice(-REPLAYED)
}

function Alternative({ meaning, to, current, request, done }: AlternativeProps) {
  const state = usePreview(request, to)
  const now = usePreview(request, current).value
  const isCurrent = normalize(to) === normalize(current)
  return (
    <section class={isCurrent ? 'alternative is-current' : 'alternative'} aria-label={meaning}>
      <h3>{meaning}</h3>
      {isCurrent ? (
        <p>
          <span class="tag good">in use</span>
        </p>
      ) : (
        <div class="row">
          <Act class="small primary" call={override(to)} done={done}>
            Use it
          </Act>
          <ReplayButton class="small" name={`trial: ${meaning}`} list={listLatest} assumptions={to}>
            Run my last requests under it
          </ReplayButton>
        </div>
      )}
      <Loaded state={state}>
        {({ status, body }) => (
          <>
            <p>
              <StatusTag status={status} /> {now && now.status !== status && <mark>status</mark>}
            </p>
            <MarkedJson value={body} other={now?.body} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function usePreview({ path, token }: AlternativeProps['request'], assumptions: object) {
  const json = castBody({ path, token, assumptions })
  return useRead(token === undefined ? undefined : prepare('post', routes.preview, { json }))
}

/** Converts an assumption to text; flags that are off count as absent. */
const normalize = (to: object): string =>
  JSON.stringify(to, (_, value: unknown) => (value === false ? undefined : value))

interface OtherValueProps {
  readonly name: string
  readonly value: unknown
  readonly done: string
}

function OtherValue({ name, value, done }: OtherValueProps) {
  const { make, error } = useChange()
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const [text, set] = useState(isNames ? value.join(', ') : toText(value))
  const parsed = parseJson(text)
  const to = parsed ? parsed.json : text.split(',').map((one) => one.trim())
  const field = { name, value: text, set, error }
  return (
    <Form
      label={`Another value of ${name}`}
      error={error}
      submit={() => make(override({ [name]: to }), done)}
    >
      <Input {...field} label="Another value" hint="Names in their order, or JSON." />
      <button type="submit">Apply</button>
      <OtherErrors error={error} names={[name]} />
    </Form>
  )
}
