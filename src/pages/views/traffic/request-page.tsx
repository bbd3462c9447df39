import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { ExplainedCondition, Explanation } from '../../../lab/explain/schemas.ts'
import type { JournalEntry, RecordedMessage, RequestSummary } from '../../../testing/journal/view.ts'
import { useRead } from '../../calls.ts'
import { prepare, prepareFault, readDocument, routes, baseUrl, formatCurl, getTarget } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Field } from '../../components/form.tsx'
import { Instant, formatBytes, formatDuration, plural, StatusTag } from '../../components/format.tsx'
import { parseJson } from '../../components/schema.ts'
import { Copy } from '../../components/service.tsx'
import { useEscape } from '../../components/table.tsx'
import { Act, Button, Facts, Folded, Loaded, Problem, RequestLink } from '../../components/ui.tsx'
import { connection, requests } from '../../live.ts'
import { leaveRequest, linkTo, param, setQuery } from '../../place.ts'
import { useOperations } from '../data/collections.ts'
import { AsMember } from './as-member.tsx'
import { linkToRequest } from './request-list.tsx'

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
  const read = prepare('get', routes.requests[':id'], { param: { id: `${id}` } })
  const { value, error } = useRead(read, `${startedMs} ${status} ${durationMs} ${request.warnings.length}`)
  // After a reset, the journal may have another request with the same id.
  const entry = value?.startedMs === startedMs ? value : undefined
  const operation = useOperations().find((one) => one.id === operationId)
  const methods = Object.values(useRead(readDocument).value?.paths ?? {}).flatMap(Object.values)
  const tag = methods.find((one) => one.operationId === operationId)?.tags[0] ?? ''
  const reference = `/_sandbox/docs/reference/${tag.toLowerCase()}#${operationId?.toLowerCase()}`
  const isPending = durationMs === undefined
  return (
    <>
      <Facts
        look="line"
        facts={Object.entries({
          Status: (
            <>
              <StatusTag status={status} /> {request.fault && <span class="tag odd">by a fault</span>}
            </>
          ),
          Duration: durationMs === undefined ? 'in progress' : formatDuration(durationMs),
          Size: bytes === undefined ? 'none' : formatBytes(bytes),
          Operation: operationId === undefined ? 'none' : <a href={reference}>{operationId}</a>,
          Caller: caller ? `${caller.name} (${caller.id}, ${caller.organizationId})` : 'none',
          'Real time': <Instant at={startedAt} part="time" />,
          'Session time': <Instant at={time} />,
        })}
      />
      <div class="row">
        {entry && <CopyCurl entry={entry} />}
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
      {typeof status === 'number' && <Why requestId={id} isRead={method === 'GET'} />}
      {/* Some warnings are found only when somebody reads the request. */}
      <Remarks request={entry ?? request} />
      <section aria-label="Response">
        <h2>Response</h2>
        {entry?.response && <Message name="response" message={entry.response} />}
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
      <Folded title="Request">{() => entry && <Message name="request" message={entry.request} />}</Folded>
      {method === 'GET' && request.path.startsWith('/v1/') && (
        <Folded title="As another member">
          {() => <AsMember target={getTarget(request)} callerId={caller?.id} operation={operation} />}
        </Folded>
      )}
    </>
  )
}

/** Headers that concern the connection, or that curl adds itself. */
const OWN = /^(?:host|connection|content-length|user-agent|accept|accept-.*|sec-.*|origin|referer|cookie)$/

function CopyCurl({ entry: { method, caller, request, ...rest } }: { entry: JournalEntry }) {
  const { members } = useCast()
  const token = members.find(({ id }) => id === caller?.id)?.token
  const own = Object.entries(request.headers).filter(([name]) => !OWN.test(name))
  const headers = own.map(([name, value]) => [name, token ? value.replace('***', token) : value])
  const target = getTarget(rest)
  const url = target.startsWith('/v1/') ? baseUrl() + target.slice('/v1'.length) : location.origin + target
  const text = formatCurl({ method, url, headers: Object.fromEntries(headers), body: request.body })
  return <Copy text={text} subject="the request as curl" label="Copy as curl" />
}

/** Says why a recorded response is as it is, or why a record is, or is not, in it. */
function Why({ requestId, isRead }: { requestId: number; isRead: boolean }) {
  const text = param('record')
  const record = isRead && /^\d{1,15}$/.test(text) ? { id: Number(text) } : {}
  const state = useRead(prepare('post', routes.explain, { json: { requestId, ...record } }))
  return (
    <section aria-label="Why" aria-live="polite">
      <Loaded state={state}>{(explanation) => <Verdict explanation={explanation} />}</Loaded>
      {isRead && (
        <Field
          label="Why is, or is not, this record in the response?"
          name="record"
          value={text}
          set={(id) => setQuery({ record: id.trim() })}
          placeholder="its id"
        />
      )}
    </section>
  )
}

function Verdict({
  explanation: { requestId, summary, conditions, causes, now },
}: {
  explanation: Explanation
}) {
  const others = new Set((causes ?? []).flatMap((cause) => cause.requestId ?? []))
  const isSame = JSON.stringify(conditions) === JSON.stringify(now?.conditions)
  return (
    <>
      <p class="large">
        {summary} {[...others].map((id) => id !== requestId && <RequestLink key={id} id={id} />)}
      </p>
      <Conditions label={now && !isSame ? 'Conditions then' : 'Conditions'} conditions={conditions} />
      {now && !isSame && <Conditions label="Conditions now" conditions={now.conditions} />}
    </>
  )
}

function Conditions({ label, conditions }: { label: string; conditions: readonly ExplainedCondition[] }) {
  if (conditions.length === 0) return null
  return (
    <details>
      <summary>
        {label} ({conditions.length})
      </summary>
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
    </details>
  )
}

/** Renders what the journal knows about a response: the fault and the scenarios that acted, and its warnings. */
function Remarks({ request }: { request: Pick<RequestSummary, 'id' | 'fault' | 'warnings' | 'scenarios'> }) {
  const { id, fault, warnings, scenarios = [] } = request
  return (
    <>
      {fault !== undefined && (
        <p>
          <span class="tag odd">fault</span>{' '}
          {fault === 'prefer' ? (
            'The request set it itself with its header Prefer.'
          ) : (
            <a href={linkTo('control', ['faults'])}>{fault}</a>
          )}
        </p>
      )}
      {scenarios.map(({ id: one, name, did }) => (
        <p key={one + did}>
          <span class="tag odd">{name}</span> {did}
        </p>
      ))}
      {warnings.map(({ code, message, requestIds }) => (
        <p key={code + message}>
          <span class="tag warn">{code}</span> {message}
          {requestIds.some((other) => other !== id) && '. See '}
          {requestIds.map(
            (other) =>
              other !== id && <RequestLink key={other} id={other}>{`request ${other} `}</RequestLink>,
          )}
        </p>
      ))}
    </>
  )
}

interface MessageProps {
  readonly name: 'request' | 'response'
  readonly message: RecordedMessage
}

function Message({ name, message: { body = '', bodyBytes = 0, truncated, headers } }: MessageProps) {
  const text = useMemo(() => {
    const parsed = truncated ? undefined : parseJson(body)
    return parsed ? JSON.stringify(parsed.json, undefined, 2) : body
  }, [body, truncated])
  const isCut = truncated && ', of which the beginning is shown; the HAR export has all of it'
  return (
    <>
      {body === '' ? (
        <p class="hint">{truncated ? 'The body was dropped to make room for newer requests.' : 'No body.'}</p>
      ) : (
        <>
          <p class="hint">
            {formatBytes(bodyBytes)}
            {isCut} <Copy text={text} subject={`the body of the ${name}`} />
          </p>
          <pre>{text}</pre>
        </>
      )}
      <details>
        <summary>{plural(Object.keys(headers).length, 'header')}</summary>
        <Facts facts={Object.entries(headers)} />
      </details>
    </>
  )
}
