import { useEffect, useState } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import type { UsedAssumption } from '../../../explain/report.ts'
import type { RequestSummary } from '../../../journal/view.ts'
import { castBody, prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { useCast } from '../../components/cast.ts'
import { MarkedJson } from '../../components/diff.tsx'
import { Form, Input, Select } from '../../components/form.tsx'
import { Problem, omitFieldErrors } from '../../components/problem.tsx'
import { type Replayed, forkSession, replay } from '../../components/replay.ts'
import { ReplayedRequests } from '../../components/replayed.tsx'
import { StatusTag } from '../../components/status.tsx'
import { type Change, useChange, useRead } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo, switchSession } from '../../place.ts'
import { isFlags, isOverridden, isSame, patchAssumptions } from './override.ts'

/** The number of requests to choose from, and to run again. */
const [OFFERED, REPLAYED] = [10, 20]

interface AssumptionDetailProps {
  readonly assumption: ListedAssumption
  /** Undefined if no request depends on it. */
  readonly use: UsedAssumption | undefined
}

/** Renders an assumption, and each alternative beside the response to a request under it. */
export function AssumptionDetail({ assumption, use }: AssumptionDetailProps) {
  const { id, subject, decision, because, name, options, meanings, value } = assumption
  const change = useChange()
  const [path, token, chooser] = useSample(use)
  const setValue = (to: unknown): void => {
    if (name !== null) void change.make(patchAssumptions({ [name]: to }), `Changed ${name} (${id}).`)
  }
  const isListed = options.some((option) => isSame(option, value))
  const all = options.at(-1)
  return (
    <Card title={`${id} ${subject}`}>
      <p>
        Default: {decision}. <span class="hint">Reason: {because}.</span>
      </p>
      {name === null ? (
        <p class="hint">This assumption cannot be overridden.</p>
      ) : (
        <>
          {chooser}
          <div class="alternatives">
            {options.map((option, at) => (
              <Alternative
                key={meanings[at]}
                meaning={`${meanings[at]}${at === 0 ? ' (default)' : ''}`}
                name={name}
                value={option}
                isCurrent={isSame(option, value)}
                current={value}
                path={path}
                token={token}
                use={() => setValue(option)}
              />
            ))}
          </div>
          {isFlags(all) && (
            <Flags all={Object.keys(all)} value={isFlags(value) ? value : {}} setValue={setValue} />
          )}
          {Array.isArray(all) && (
            <Names
              key={JSON.stringify(value)}
              of={name}
              isOther={!isListed}
              value={value}
              setValue={setValue}
              error={change.error}
            />
          )}
          <Problem error={omitFieldErrors(change.error, [name])} />
        </>
      )}
      {isOverridden(assumption) && <p class="tag odd">overridden in this session</p>}
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

/** Chooses a request whose response is shown: the latest that depends on the assumption, or a typical one. */
function useSample(use: UsedAssumption | undefined) {
  const { members, member } = useCast()
  const [chosen, setChosen] = useState<string>()
  const recorded = requests.value.filter(({ method, caller }) => method === 'GET' && caller)
  const dependent = recorded.filter(({ operationId = '' }) => use?.operations.includes(operationId))
  const offered = unique(dependent.length > 0 ? dependent : recorded).slice(0, OFFERED)
  const request = offered.find(({ id }) => `${id}` === chosen) ?? offered[0]
  const token = members.find(({ id }) => id === request?.caller?.id)?.token ?? member?.token
  const path = request ? getTarget(request) : `/organizations/${member?.organizationId}/customers?limit=2`
  const options = Object.fromEntries(offered.map((one) => [`${one.id}`, `${one.id}: ${getTarget(one)}`]))
  const chooser =
    offered.length > 0 ? (
      <Select
        label="The response to your request"
        value={`${request?.id}`}
        set={setChosen}
        options={options}
      />
    ) : (
      <p class="hint">
        No request yet. Shown is the response to <code>GET {path}</code>.
      </p>
    )
  return [path, token, chooser] as const
}

/** Keeps the latest of equal requests. Order: the latest first. */
function unique(entries: readonly RequestSummary[]): readonly RequestSummary[] {
  const known = new Map(entries.map((request) => [getTarget(request), request]))
  return [...known.values()].toSorted((a, b) => b.id - a.id)
}

/** Returns path and query as requested, from `/v1` on. */
function getTarget({ path, url }: RequestSummary): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

interface AlternativeProps {
  readonly meaning: string
  readonly name: string
  readonly value: unknown
  readonly isCurrent: boolean
  /** The value in the session. */
  readonly current: unknown
  readonly path: string
  readonly token: string | undefined
  readonly use: () => void
}

function Alternative({ meaning, name, value, isCurrent, current, path, token, use }: AlternativeProps) {
  const [state, run] = useTrial(meaning, { [name]: value })
  const shown = usePreview(path, token, { [name]: value })
  const now = usePreview(path, token, { [name]: current }).value
  return (
    <section class={isCurrent ? 'alternative is-current' : 'alternative'} aria-label={meaning}>
      <h3>{meaning}</h3>
      <p class="row">
        {isCurrent ? (
          <span class="tag good">in use</span>
        ) : (
          <>
            <button type="button" class="small primary" onClick={use}>
              Use it
            </button>
            <button type="button" class="small" disabled={state.isRunning} onClick={() => void run()}>
              Run my last requests under it
            </button>
          </>
        )}
      </p>
      {state.fork !== undefined && (
        <p>
          In{' '}
          <button type="button" class="small" onClick={() => switchSession(state.fork)}>
            {state.fork}
          </button>
          , a fork of this session:
        </p>
      )}
      {state.replayed && <ReplayedRequests replayed={state.replayed} />}
      <Problem error={state.error ?? shown.error} />
      {shown.value && (
        <>
          <p>
            <StatusTag status={shown.value.status} />{' '}
            {now && now.status !== shown.value.status && <mark>status</mark>}
          </p>
          <MarkedJson value={shown.value.body} other={now?.body} />
        </>
      )}
    </section>
  )
}

/** Previews a response under other assumptions. */
function usePreview(path: string, token: string | undefined, assumptions: object) {
  const json = castBody({ path, token, assumptions })
  return useRead(token === undefined ? undefined : prepare('post', routes.preview, { json }))
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
  const [state, setState] = useState<Trial>({ isRunning: false })
  const run = async (): Promise<void> => {
    setState({ isRunning: true })
    try {
      const last = requests
        .peek()
        .filter(({ status }) => status !== 'pending')
        .slice(-REPLAYED)
      const fork = await forkSession(`trial: ${meaning}`.slice(0, 200), assumptions)
      setState({ isRunning: false, fork, replayed: await replay(last, fork, members) })
    } catch (error) {
      setState({ isRunning: false, error })
    }
  }
  return [state, run]
}

interface FlagsProps {
  readonly all: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  readonly setValue: (value: unknown) => void
}

/** Renders a checkbox for each operation. */
function Flags({ all, value, setValue }: FlagsProps) {
  // Shows a click at once, before the response arrives.
  const [wanted, setWanted] = useState(value)
  useEffect(() => setWanted(value), [JSON.stringify(value)])
  const choose = (to: FlagsProps['value']): void => {
    setWanted(to)
    setValue(to)
  }
  return (
    <fieldset class="choices">
      <legend>For single operations</legend>
      {all.map((operation) => (
        <label key={operation}>
          <input
            type="checkbox"
            checked={wanted[operation] === true}
            onChange={({ currentTarget }) => choose({ ...wanted, [operation]: currentTarget.checked })}
          />{' '}
          {operation}
        </label>
      ))}
    </fieldset>
  )
}

interface NamesProps {
  readonly of: string
  readonly isOther: boolean
  readonly value: unknown
  readonly setValue: (value: unknown) => void
  readonly error: Change['error']
}

/** Renders a field for custom names: a list, or JSON that maps each to its meaning. */
function Names({ of, isOther, value, setValue, error }: NamesProps) {
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : JSON.stringify(value))
  return (
    <Form label={`Custom names for ${of}`} error={error} submit={() => setValue(parseNames(text))}>
      <div class="row">
        <Input
          label={`Custom names, in this order${isOther ? ' (in use)' : ''}`}
          name={of}
          value={text}
          set={setText}
          error={error}
        />
        <button type="submit">Apply</button>
      </div>
    </Form>
  )
}

function parseNames(text: string): unknown {
  try {
    if (text.trim().startsWith('{')) return JSON.parse(text)
  } catch {
    return text
  }
  return text.split(',').map((name) => name.trim())
}
