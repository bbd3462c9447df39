import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { ExplainedCondition, Explanation } from '../../../lab/explain/schemas.ts'
import type { JournalEntry, RequestSummary } from '../../../testing/journal/view.ts'
import { useRead } from '../../calls.ts'
import { prepare, prepareFault, readDocument, routes, formatCurl, getTarget } from '../../client.ts'
import { Copy } from '../../components/copy.tsx'
import { ParamField } from '../../components/form.tsx'
import { Instant, formatBytes, formatDuration, plural, StatusTag } from '../../components/format.tsx'
import { listDescribed, tryJson } from '../../components/schema.ts'
import { useCast } from '../../components/service.tsx'
import { useEscape } from '../../components/table.tsx'
import { Tree } from '../../components/tree.tsx'
import { Act, Button, Facts, Folded, Loaded, Problem, RequestLink } from '../../components/ui.tsx'
import { connection, journalRevision, requests } from '../../live.ts'
import { leaveRequest, linkTo, param } from '../../place.ts'
import { useOperations } from '../data/collections.ts'
import { AsMember } from './as-member.tsx'
import { formatFetch, formatState, formatTest, rebuild, runnerNames } from './copy-as.ts'
import { linkToRequest, listNotes } from './request-list.tsx'

const close = (): void => leaveRequest(linkToRequest())

export function RequestPage({ id }: { id: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const request = useMemo(() => computed(() => requests.value.find((one) => one.id === id)), [id]).value
  useEscape(close)
  // On narrow screens this replaces the list, and with it the focused element.
  useEffect(() => {
    const isAlone = document.querySelector('.traffic-side')?.checkVisibility() !== true
    if (isAlone && document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <section class="traffic-detail" aria-label={`Request ${id}`}>
      <div class="row is-apart">
        <h1 ref={heading} tabIndex={-1} class="mono">
          {request ? `${request.method} ${getTarget(request)}` : `Request ${id}`}
        </h1>
        <Button run={close}>Close</Button>
      </div>
      {request && <Parts key={id} request={request} />}
      {!request && (
        <p class="empty">
          {connection.value === 'live'
            ? `Request ${id} is not in this session’s journal, which keeps the last 1,000 requests.`
            : 'Loading the request…'}
        </p>
      )}
    </section>
  )
}

function Parts({ request }: { request: RequestSummary }) {
  const { id, method, status, durationMs, bytes, time, startedAt, startedMs, operationId, caller } = request
  const call = prepare('get', routes.requests[':id'], { param: { id: `${id}` } })
  const { value, error } = useRead(call, `${startedMs} ${status} ${durationMs} ${request.warnings.length}`)
  // After a reset, the journal may have another request with the same id.
  const entry = value?.startedMs === startedMs ? value : undefined
  const operation = useOperations().find((one) => one.id === operationId)
  const described = listDescribed(useRead(readDocument).value)
  const tag = described.find((one) => one.operationId === operationId)?.tags[0]
  const reference = tag && `/_sandbox/docs/reference/${tag.toLowerCase()}#${operationId?.toLowerCase()}`
  const isPending = durationMs === undefined
  return (
    <>
      <Facts
        facts={{
          Status: <StatusTag status={status} />,
          Duration: durationMs === undefined ? 'in progress' : formatDuration(durationMs),
          Size: bytes === undefined ? 'none' : formatBytes(bytes),
          Operation: reference ? <a href={reference}>{operationId}</a> : (operationId ?? 'none'),
          Caller: caller ? `${caller.name} (${caller.id}, ${caller.organizationId})` : 'none',
          'Real time': <Instant at={startedAt} part="time" />,
          'Session time': <Instant at={time} />,
        }}
      />
      <div class="row">
        {isPending && <Release requestId={id} />}
        {entry && <CopyAs entry={entry} />}
        {operationId !== undefined && (
          <Act
            call={prepareFault({ operationId, status: 503, times: 1 }, true)}
            done={`The next ${operationId} fails with 503.`}
          >
            ⚡ Fail the next {operationId}
          </Act>
        )}
      </div>
      <Problem error={error} />
      {typeof status === 'number' && <Why request={request} collection={operation?.collection} />}
      {/* Some warnings are found only when somebody reads the request. */}
      <Remarks request={entry ?? request} />
      {method === 'GET' && request.path.startsWith('/v1/') && (
        <Folded title="As another member">
          {() => <AsMember target={getTarget(request)} callerId={caller?.id} operation={operation} />}
        </Folded>
      )}
      <section aria-label="Response">
        <h2>Response</h2>
        {entry?.response && <Message name="response" entry={entry} collection={operation?.collection} />}
        {!entry?.response && (
          <p class="hint">
            {isPending
              ? 'No response yet. It appears here when it arrives.'
              : entry
                ? `No response: the request ended with ${status}.`
                : 'Loading…'}
          </p>
        )}
      </section>
      <Folded title="Request">
        {() => entry && <Message name="request" entry={entry} collection={undefined} />}
      </Folded>
    </>
  )
}

function Release({ requestId }: { requestId: number }) {
  const { items = [] } = useRead(prepare('get', routes.gates), journalRevision.value).value ?? {}
  const held = items.find((one) => one.requestId === requestId)
  if (!held) return null
  const call = prepare('post', routes.gates[':id'].release, { param: { id: held.id }, json: {} })
  return (
    <Act class="primary" call={call} done={`Released request ${requestId}.`}>
      Release
    </Act>
  )
}

function CopyAs({ entry }: { entry: JournalEntry }) {
  const { members, invalidTokens } = useCast()
  const token = members.find(({ id }) => id === entry.caller?.id)?.token ?? invalidTokens[0]
  const request = rebuild(entry, token)
  const tests = typeof entry.status === 'number' ? runnerNames : []
  return (
    <>
      <Copy text={formatCurl(request)} subject="the request as curl" label="Copy as curl" />
      <Copy text={formatFetch(request)} subject="the request as fetch" label="fetch" />
      {tests.map((name) => {
        const text = (): Promise<string> => formatTest(name, entry, request)
        return <Copy key={name} text={text} subject={`a test for ${name}`} label={`${name} test`} />
      })}
      <Copy text={formatState} subject="a command that arranges this state" label="State as curl" />
    </>
  )
}

/** Says why a recorded response is as it is, or why a record, by its id or name, is or is not in it. */
function Why({ request, collection }: { request: RequestSummary; collection: string | undefined }) {
  const text = param('record').trim()
  const isRead = request.method === 'GET'
  const isId = /^\d{1,15}$/.test(text)
  const query = { q: text, limit: '50' }
  const found = useRead(isId || text === '' ? undefined : prepare('get', routes.find, { query })).value
  const named = found?.items.find((one) => one.collection === collection)
  const id = isId ? Number(text) : named?.id
  const record = isRead && id !== undefined ? { id } : {}
  const state = useRead(prepare('post', routes.explain, { json: { requestId: request.id, ...record } }))
  return (
    <section aria-label="Why" aria-live="polite">
      <Loaded state={state}>{(explanation) => <Verdict explanation={explanation} />}</Loaded>
      {isRead && (
        <ParamField
          name="record"
          label="Why is, or is not, this record in the response?"
          placeholder="its id or name"
        />
      )}
      {found && (
        <p class="hint">{named ? `${named.name} is ${named.id}.` : `No record in it is called ${text}.`}</p>
      )}
    </section>
  )
}

function Verdict({ explanation }: { explanation: Explanation }) {
  const { requestId, request, summary, conditions, causes = [] } = explanation
  // The heading has the URL already.
  const shorten = (text: string): string => text.replace(`${request} returns`, 'Returned').trim()
  const [result = ''] = summary.split(/ (?:Since then: |Now: |The response would be the same now)/)
  const since = causes.filter(({ kind }) => kind !== 'fault' && kind !== 'scenario')
  const others = new Set(causes.flatMap((cause) => cause.requestId ?? []))
  const time = requests.value.find(({ id }) => id === requestId)?.time ?? ''
  const now = summary.includes(' Now: ') ? explanation.now : undefined
  return (
    <>
      <p class="large">
        {shorten(result)} {[...others].map((id) => id !== requestId && <RequestLink key={id} id={id} />)}
      </p>
      <Conditions label="Conditions" conditions={conditions} />
      {since.length > 0 && (
        <ul class="list" aria-label="Since">
          {since.map(({ kind, text }) => (
            <li key={text}>
              <span class="hint">Since</span> {text}{' '}
              {kind === 'assumption' ? (
                <a href={linkTo('control', ['assumptions'], { text: 'overridden' })}>See the assumptions</a>
              ) : (
                <a href={linkTo('data', ['changes'], { since: time })}>See the changes</a>
              )}
            </li>
          ))}
        </ul>
      )}
      {now && (
        <>
          <p>
            <span class="hint">Now</span> {shorten(now.summary)}
          </p>
          <Conditions label="Conditions now" conditions={now.conditions} />
        </>
      )}
      {summary.includes('the same now') && <p class="hint">It would be the same now.</p>}
    </>
  )
}

function Conditions({ label, conditions }: { label: string; conditions: readonly ExplainedCondition[] }) {
  if (conditions.length === 0) return null
  return (
    <Folded title={`${label} (${conditions.length})`}>
      {() => (
        <ol class="list is-lined">
          {conditions.map(({ name, holds, text, matchesSoFar }) => (
            <li key={name + text}>
              {holds !== undefined && (
                <span class={holds ? 'tag good' : 'tag bad'}>{holds ? 'holds' : 'does not hold'}</span>
              )}{' '}
              {text}{' '}
              {holds !== undefined && matchesSoFar !== undefined && (
                <span class="hint">{plural(matchesSoFar, 'record')} up to here</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </Folded>
  )
}

function Remarks({ request }: { request: RequestSummary | JournalEntry }) {
  return listNotes(request).map(({ kind, look, name, text, ids }) => (
    <p key={name + text}>
      <span class={`tag ${look}`}>{name}</span> {text}{' '}
      {kind === 'fault' && <a href={linkTo('control', ['faults'])}>See the faults</a>}
      {ids.map((id) => id !== request.id && [<RequestLink key={id} id={id} />, ' '])}
    </p>
  ))
}

interface MessageProps {
  readonly name: 'request' | 'response'
  readonly entry: JournalEntry
  readonly collection: string | undefined
}

function Message({ name, entry, collection }: MessageProps) {
  const { headers, body = '', bodyBytes = 0, truncated } = entry[name] ?? { headers: {} }
  const isCut = truncated === true && body !== ''
  const whole = useWholeBody(entry, name, isCut)
  const isBroken = name === 'response' && typeof entry.status !== 'number'
  return (
    <>
      {body === '' ? (
        <p class="hint">
          {isBroken
            ? `The connection broke off (${entry.status}); the part that was sent is not recorded.`
            : truncated
              ? 'The body was dropped to make room for newer requests.'
              : 'No body.'}
        </p>
      ) : (
        <>
          <p class="hint">{formatBytes(bodyBytes)}</p>
          <Loaded state={isCut ? whole : { value: body }}>
            {(text) => <Body {...{ text, collection }} subject={`the body of the ${name}`} />}
          </Loaded>
        </>
      )}
      <Folded title={plural(Object.keys(headers).length, 'header')}>
        {() => <Facts look="fields" facts={headers} />}
      </Folded>
    </>
  )
}

/** Reads a body that is longer than the journal shows, which only the HAR export has as a whole. */
function useWholeBody({ id }: JournalEntry, name: MessageProps['name'], isCut: boolean) {
  const query = { since: `${id - 1}`, limit: '1' }
  const { value, error } = useRead(isCut ? prepare('get', routes['requests.har'], { query }) : undefined)
  const found = value?.log.entries[0]
  const text = name === 'request' ? found?.request.postData?.text : found?.response.content.text
  return { value: value && (text ?? ''), error }
}

function Body({ text, ...props }: { text: string; subject: string; collection: string | undefined }) {
  const parsed = useMemo(() => tryJson(text), [text])
  return parsed ? <Tree value={parsed.json} hasReasons {...props} /> : <pre>{text}</pre>
}
