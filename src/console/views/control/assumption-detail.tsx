import { useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import type { UsedAssumption } from '../../../explain/report.ts'
import type { RequestSummary } from '../../../journal/view.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { MarkedJson } from '../../components/diff.tsx'
import { Form, Input, Select } from '../../components/form.tsx'
import { Card } from '../../components/layout.tsx'
import { Loaded, Problem, omitFieldErrors } from '../../components/problem.tsx'
import { type Replayed, forkSession, replay } from '../../components/replay.tsx'
import { ReplayedRequests } from '../../components/replay.tsx'
import { toText } from '../../components/schema.ts'
import { StatusTag } from '../../components/status.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo, switchSession } from '../../place.ts'

/** The number of requests to choose from, and to run again. */
const [OFFERED, REPLAYED] = [10, 20]

interface AssumptionDetailProps {
  readonly assumption: ListedAssumption
  /** Undefined if no request depends on it. */
  readonly use: UsedAssumption | undefined
  readonly isChanged: boolean
}

/** Renders an assumption, and each alternative beside the response to a request under it. */
export function AssumptionDetail({ assumption, use, isChanged }: AssumptionDetailProps) {
  const { id, subject, decision, because, name } = assumption
  return (
    <Card title={`${id} ${subject}`}>
      <p>
        Default: {decision}. <span class="hint">Reason: {because}.</span>{' '}
        {isChanged && <span class="tag odd">overridden in this session</span>}
      </p>
      {name === null ? (
        <p class="hint">This assumption cannot be overridden.</p>
      ) : (
        <Alternatives assumption={assumption} name={name} use={use} />
      )}
      {use && (
        <p>
          Used by {use.count} {use.count === 1 ? 'request' : 'requests'} to {use.operations.join(', ')}:{' '}
          {use.requestIds.map((requestId) => (
            <>
              <a href={linkTo('traffic', [`${requestId}`])}>{requestId}</a>{' '}
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

function Alternatives({ assumption, name, use }: AlternativesProps) {
  const { id, options, meanings, value } = assumption
  const { make, error } = useChange()
  const [path, token, chooser] = useSample(use)
  const override = (to: unknown): void => {
    const json = castBody({ [name]: to })
    void make(prepare('patch', routes.assumptions, { json }), `Changed ${name} (${id}).`)
  }
  return (
    <>
      {chooser}
      <div class="alternatives">
        {options.map((option, at) => (
          <Alternative
            key={meanings[at]}
            meaning={`${meanings[at]}${at === 0 ? ' (default)' : ''}`}
            to={{ [name]: option }}
            current={{ [name]: value }}
            path={path}
            token={token}
            use={() => override(option)}
          />
        ))}
      </div>
      {typeof options.at(-1) === 'object' && (
        <OtherValue key={JSON.stringify(value)} name={name} value={value} override={override} error={error} />
      )}
      <Problem error={omitFieldErrors(error, [name])} />
    </>
  )
}

/** Chooses a request whose response is shown: the latest that depends on the assumption, or a typical one. */
function useSample(use: UsedAssumption | undefined) {
  const { members, member } = useCast()
  const [chosen, setChosen] = useState<string>()
  const recorded = requests.value.filter(({ method, caller }) => method === 'GET' && caller)
  const dependent = recorded.filter(({ id }) => use?.requestIds.includes(id))
  // Keeps the latest of equal requests.
  const known = new Map((dependent.length > 0 ? dependent : recorded).map((one) => [getTarget(one), one]))
  const offered = [...known.values()].toSorted((a, b) => b.id - a.id).slice(0, OFFERED)
  const request = offered.find(({ id }) => `${id}` === chosen) ?? offered[0]
  const token = members.find(({ id }) => id === request?.caller?.id)?.token ?? member?.token
  const path = request ? getTarget(request) : `/organizations/${member?.organizationId}/customers?limit=2`
  const options = Object.fromEntries(offered.map((one) => [`${one.id}`, `${one.id}: ${getTarget(one)}`]))
  const chooser = request ? (
    <Select label="The response to your request" value={`${request.id}`} set={setChosen} options={options} />
  ) : (
    <p class="hint">
      No request yet. Shown is the response to <code>GET {path}</code>.
    </p>
  )
  return [path, token, chooser] as const
}

/** Returns path and query as requested, from `/v1` on. */
function getTarget({ path, url }: RequestSummary): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

interface AlternativeProps {
  readonly meaning: string
  /** The assumption with the alternative, and with the value of the session. */
  readonly to: object
  readonly current: object
  readonly path: string
  readonly token: string | undefined
  readonly use: () => void
}

function Alternative({ meaning, to, current, path, token, use }: AlternativeProps) {
  const [trial, run] = useTrial(meaning, to)
  const state = usePreview(path, token, to)
  const now = usePreview(path, token, current).value
  const isCurrent = isSame(Object.values(to)[0], Object.values(current)[0])
  return (
    <section class={isCurrent ? 'alternative is-current' : 'alternative'} aria-label={meaning}>
      <h3>{meaning}</h3>
      {isCurrent ? (
        <p>
          <span class="tag good">in use</span>
        </p>
      ) : (
        <p class="row">
          <button type="button" class="small primary" onClick={use}>
            Use it
          </button>
          <button type="button" class="small" disabled={trial.isRunning} onClick={() => void run()}>
            Run my last requests under it
          </button>
        </p>
      )}
      {trial.fork !== undefined && (
        <p>
          In{' '}
          <button type="button" class="small" onClick={() => switchSession(trial.fork)}>
            {trial.fork}
          </button>
          , a fork of this session:
        </p>
      )}
      {trial.replayed && <ReplayedRequests replayed={trial.replayed} />}
      <Problem error={trial.error} />
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

/** Previews a response under other assumptions. */
function usePreview(path: string, token: string | undefined, assumptions: object) {
  const json = castBody({ path, token, assumptions })
  return useRead(token === undefined ? undefined : prepare('post', routes.preview, { json }))
}

/** Reports whether two values mean the same. */
const isSame = (a: unknown, b: unknown): boolean => normalize(a) === normalize(b)

/** Converts a value to text; flags that are off count as absent. */
function normalize(value: unknown): string {
  const isFlags = typeof value === 'object' && value !== null && !Array.isArray(value)
  return JSON.stringify(isFlags ? Object.entries(value).filter(([, flag]) => flag !== false) : value)
}

interface Trial {
  readonly isRunning: boolean
  /** The id of the session in which the requests ran. */
  readonly fork?: string
  readonly replayed?: readonly Replayed[]
  readonly error?: unknown
}

/** Prepares to run the last requests in a fork under other assumptions. */
function useTrial(meaning: string, assumptions: object): readonly [Trial, () => Promise<void>] {
  const { members } = useCast()
  const [trial, setTrial] = useState<Trial>({ isRunning: false })
  const run = async (): Promise<void> => {
    setTrial({ isRunning: true })
    try {
      const finished = requests.peek().filter(({ status }) => status !== 'pending')
      const fork = await forkSession(`trial: ${meaning}`.slice(0, 200), assumptions)
      setTrial({ isRunning: false, fork, replayed: await replay(finished.slice(-REPLAYED), fork, members) })
    } catch (error) {
      setTrial({ isRunning: false, error })
    }
  }
  return [trial, run]
}

interface OtherValueProps {
  readonly name: string
  readonly value: unknown
  readonly override: (value: unknown) => void
  readonly error: unknown
}

/** Renders a field for any other value: names, or JSON. */
function OtherValue({ name, value, override, error }: OtherValueProps) {
  const isNames = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const [text, setText] = useState(isNames ? value.join(', ') : toText(value))
  return (
    <Form label={`Another value of ${name}`} error={error} submit={() => override(parseValue(text))}>
      <div class="row">
        <Input
          label="Another value"
          name={name}
          value={text}
          set={setText}
          error={error}
          hint="Names in their order, or JSON."
        />
        <button type="submit">Apply</button>
      </div>
    </Form>
  )
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.split(',').map((name) => name.trim())
  }
}
