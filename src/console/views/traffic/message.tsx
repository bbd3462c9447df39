import { useMemo, useState } from 'preact/hooks'

import type { RecordedMessage } from '../../../journal/view.ts'
import { Copy } from '../../components/code.tsx'
import { Json, parseJson } from '../../components/json.tsx'
import { formatBytes } from './request-row.tsx'

/** Smaller bodies are fully expanded. Units: bytes. */
const SMALL = 4_096

interface MessageProps {
  /** `request` or `response`. */
  readonly name: string
  readonly message: RecordedMessage
}

/** Renders the body and the headers of a request or response. */
export function Message({ name, message }: MessageProps) {
  const headers = Object.entries(message.headers)
  return (
    <>
      <Body name={name} message={message} />
      <details>
        <summary>
          {headers.length} header{headers.length === 1 ? '' : 's'}
        </summary>
        <Pairs pairs={headers} />
      </details>
    </>
  )
}

function Body({ name, message: { body, bodyBytes = 0, truncated } }: MessageProps) {
  const [isText, setText] = useState(false)
  const parsed = useMemo(() => (truncated ? undefined : parseJson(body ?? '')), [body, truncated])
  const text = useMemo(
    () => (parsed ? JSON.stringify(parsed.json, undefined, 2) : (body ?? '')),
    [parsed, body],
  )
  if (body === undefined || body === '') {
    const dropped = truncated && body === undefined
    return (
      <p class="hint">{dropped ? 'The body was dropped to make room for newer requests.' : 'No body.'}</p>
    )
  }
  const shownBytes = truncated && formatBytes(new TextEncoder().encode(body).length)
  return (
    <>
      <p class="row traffic-body-head">
        <strong>
          Body, {formatBytes(bodyBytes)}
          {shownBytes ? `, of which the first ${shownBytes} are shown` : !parsed && ', not JSON'}
        </strong>
        {parsed && (
          <button type="button" class="small" aria-pressed={isText} onClick={() => setText(!isText)}>
            As text
          </button>
        )}
        <Copy text={text} subject={`the body of the ${name}`} />
      </p>
      {parsed && !isText ? (
        <Json value={parsed.json} openDepth={bodyBytes < SMALL ? Infinity : 3} />
      ) : (
        <Text text={text} />
      )}
    </>
  )
}

/** The length of the parts of a long text. Units: characters. */
const PART = 5_000

/** Renders text in parts, so that the browser lays out only those in sight. */
function Text({ text }: { readonly text: string }) {
  const parts: string[] = []
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PART)
    parts.push(text.slice(from, end === -1 ? text.length : end + 1))
    from = end === -1 ? text.length : end + 1
  }
  return (
    <pre class="body">
      {parts.map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts never move
        <span key={at}>{part}</span>
      ))}
    </pre>
  )
}

/** Renders names and values, one per line. */
export function Pairs({ pairs }: { readonly pairs: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts traffic-pairs">
      {pairs.map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may repeat
        <div key={index}>
          <dt>{name}</dt>
          <dd class="mono">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
