import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { JournalEntry, RecordedMessage, RequestSummary } from '../../../testing/journal/view.ts'
import { prepare, prepareFault, readDocument, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Copy } from '../../components/code.tsx'
import { Instant, formatBytes, formatDuration, plural } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { parseJson } from '../../components/schema.ts'
import { StatusTag } from '../../components/status.tsx'
import { Act, Button, Facts, Problem, Tabs } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { baseUrl, formatCurl, getTarget } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { param, setQuery, show } from '../../place.ts'
import { Release } from '../../shell/held.tsx'
import { listOperations } from '../data/contract.ts'
import { AsMember } from './as-member.tsx'
import { linkToRequest, readRequest, shown } from './listing.ts'
import { Warnings } from './warnings.tsx'
import { Why } from './why.tsx'

export function RequestDetail({ id }: { id: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const request = useMemo(() => computed(() => requests.value.find((one) => one.id === id)), [id]).value
  const at = shown.value.findIndex((one) => one.id === id)
  // On narrow screens this replaces the list, and with it the focused element.
  useEffect(() => {
    const isAlone = document.querySelector('.traffic-list')?.checkVisibility() === false
    if (isAlone && document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <section class="traffic-detail" aria-label={`Request ${id}`}>
      <div class="row view-head">
        <Neighbour label="↑ Earlier" next={shown.value[at - 1]} />
        <Neighbour label="↓ Later" next={at === -1 ? undefined : shown.value[at + 1]} />
        <span class="hint">Request {id}</span>
        <Button run={() => show(linkToRequest())}>Close</Button>
      </div>
      <h2 ref={heading} tabIndex={-1} class="mono">
        {request ? `${request.method} ${getTarget(request)}` : `Request ${id}`}
      </h2>
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

const Neighbour = ({ label, next }: { label: string; next: RequestSummary | undefined }) => (
  <Button disabled={!next} run={() => show(linkToRequest(next?.id), 'replace')}>
    {label}
  </Button>
)

function useEntry({ id, status, durationMs, startedMs, warnings }: RequestSummary) {
  const again = `${startedMs} ${status} ${durationMs} ${warnings.length}`
  const { value, error } = useRead(readRequest(id), again)
  const isCut = value?.request.truncated ?? value?.response?.truncated
  const query = { since: `${id - 1}`, limit: '1' }
  const har = useRead(isCut ? prepare('get', routes['requests.har'], { query }) : undefined, again).value
  const full = har?.log.entries[0]
  // After a reset, the journal may have another request with the same id.
  if (!value || value.startedMs !== startedMs) return { error }
  const request = complete(value.request, full?.request.postData?.text)
  const response = value.response && complete(value.response, full?.response.content.text)
  return { entry: { ...value, request, response }, error }
}

function complete(message: RecordedMessage, text: string | undefined): RecordedMessage {
  const { body, truncated, ...rest } = message
  return truncated && body !== undefined && text?.startsWith(body) ? { ...rest, body: text } : message
}

function Parts({ request }: { request: RequestSummary }) {
  const {
    method,
    status,
    durationMs,
    bytes,
    time,
    startedAt,
    operationId,
    caller,
    query,
    scenarios = [],
  } = request
  const { entry, error } = useEntry(request)
  const document = useRead(readDocument).value
  const names = useRead(prepare('get', routes.data, { query: {} })).value?.items.map(({ name }) => name)
  const operations = document && names ? listOperations(document, names) : []
  const all = Object.values(document?.paths ?? {}).flatMap((methods) => Object.values(methods))
  const tag = all.find((one) => one.operationId === operationId)?.tags?.[0]
  // Some warnings are found only when somebody reads the request.
  const { warnings } = entry ?? request
  const tabs = [
    ['response', 'Response'],
    ['request', 'Request'],
    ['why', 'Why'],
    ...(method === 'GET' ? ([['member', 'As another member']] as const) : []),
  ] as const
  const [chosen] = tabs.find(([name]) => name === param('tab')) ?? tabs[0]
  const missing =
    durationMs === undefined
      ? 'No response yet. It appears here when it arrives.'
      : `No response: the request ended with ${status}.`
  return (
    <>
      <Facts
        look="is-inline"
        facts={Object.entries({
          Status: (
            <>
              <StatusTag status={status} /> {request.fault && <span class="tag odd">by a fault</span>}
            </>
          ),
          Duration: durationMs === undefined ? 'in progress' : formatDuration(durationMs),
          Size: bytes === undefined ? 'none' : formatBytes(bytes),
          Operation:
            operationId === undefined ? (
              'none'
            ) : (
              <a href={linkToReference(operationId, tag)}>{operationId}</a>
            ),
          Caller: caller ? `${caller.name} (${caller.id}, ${caller.organizationId})` : 'none',
          'Real time': <Instant at={startedAt} part="time" />,
          'Session time': <Instant at={time} />,
        })}
      />
      {status === 'pending' && (
        <p class="row">
          <Release requestId={request.id} />
        </p>
      )}
      {entry && <CopyCurl entry={entry} />}
      <Problem error={error} />
      <Tabs
        label="Parts of the request"
        tabs={tabs}
        chosen={chosen}
        choose={(tab) => setQuery({ tab: tab === 'response' ? '' : tab })}
      >
        {entry && chosen === 'response' && entry.response && (
          <Message name="response" message={entry.response} />
        )}
        {entry && chosen === 'response' && !entry.response && <p class="hint">{missing}</p>}
        {entry && chosen === 'request' && (
          <>
            {query.length > 0 && <h3>Query</h3>}
            <Facts facts={query.map(({ name, value }) => [name, value])} />
            <Message name="request" message={entry.request} />
          </>
        )}
        {chosen === 'why' && status !== 'pending' && <Why requestId={request.id} isRead={method === 'GET'} />}
        {chosen === 'member' && (
          <AsMember
            target={getTarget(request)}
            callerId={caller?.id}
            operation={operations.find(({ id }) => id === operationId)}
          />
        )}
      </Tabs>
      {scenarios.map(({ id, name, did }) => (
        <p key={id + did}>
          <span class="tag odd">≈ {name}</span> {did}
        </p>
      ))}
      <Warnings request={{ ...request, warnings }} />
      {operationId !== undefined && (
        <p class="row">
          <Act
            call={prepareFault({ operationId, status: 503, times: 1 })}
            done={`The next ${operationId} fails with 503.`}
          >
            <span aria-hidden="true">⚡</span> Fail the next {operationId}
          </Act>
        </p>
      )}
    </>
  )
}

const linkToReference = (operationId: string, tag = ''): string =>
  `/_sandbox/docs/reference/${tag.toLowerCase()}#${operationId.toLowerCase()}`

/** Headers that concern the connection, or that curl adds itself. */
const OWN = /^(?:host|connection|content-length|user-agent|accept|accept-.*|sec-.*|origin|referer|cookie)$/

function CopyCurl({ entry: { method, caller, request, ...rest } }: { entry: JournalEntry }) {
  const { members } = useCast()
  const token = members.find(({ id }) => id === caller?.id)?.token
  const own = Object.entries(request.headers).filter(([name]) => !OWN.test(name))
  const headers = own.map(([name, value]) => [name, token ? value.replace('***', token) : value])
  const url = baseUrl() + getTarget(rest).slice('/v1'.length)
  const text = formatCurl({ method, url, headers: Object.fromEntries(headers), body: request.body })
  return <Copy text={text} subject="the request as curl" label="Copy as curl" />
}

/** Smaller bodies are fully expanded. Units: bytes. */
const SMALL = 4_096

interface MessageProps {
  readonly name: string
  readonly message: RecordedMessage
}

function Message({ name, message }: MessageProps) {
  const headers = Object.entries(message.headers)
  return (
    <>
      <Body name={name} message={message} />
      <details>
        <summary>{plural(headers.length, 'header')}</summary>
        <Facts facts={headers} />
      </details>
    </>
  )
}

function Body({ name, message: { body = '', bodyBytes = 0, truncated } }: MessageProps) {
  const [isText, setText] = useState(false)
  const parsed = useMemo(() => (truncated ? undefined : parseJson(body)), [body, truncated])
  const text = useMemo(() => (parsed ? JSON.stringify(parsed.json, undefined, 2) : body), [parsed, body])
  if (body === '') {
    return (
      <p class="hint">{truncated ? 'The body was dropped to make room for newer requests.' : 'No body.'}</p>
    )
  }
  const shownBytes = truncated && formatBytes(new TextEncoder().encode(body).length)
  return (
    <>
      <p class="row">
        <strong>
          Body, {formatBytes(bodyBytes)}
          {shownBytes ? `, of which the first ${shownBytes} are shown` : !parsed && ', not JSON'}
        </strong>
        {parsed && (
          <Button pressed={isText} run={() => setText(!isText)}>
            As text
          </Button>
        )}
        <Copy text={text} subject={`the body of the ${name}`} />
      </p>
      {parsed && !isText ? (
        <Json value={parsed.json} openDepth={bodyBytes < SMALL ? Infinity : 2} />
      ) : (
        <pre class="body">
          {splitText(text).map((part, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts never move
            <span key={at}>{part}</span>
          ))}
        </pre>
      )}
    </>
  )
}

/** The length of the parts of a long text. Units: characters. */
const PART = 5_000

/** Splits text at the ends of lines, so that the browser lays out only the parts in sight. */
function splitText(text: string): readonly string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PART) + 1 || text.length
    parts.push(text.slice(from, end))
    from = end
  }
  return parts
}
