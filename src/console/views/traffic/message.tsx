import { useState } from 'preact/hooks'

import type { RecordedMessage } from '../../../journal/view.ts'
import { Copy } from '../../components/code.tsx'
import { Json } from '../../components/json.tsx'
import { parseJson } from '../../components/response.tsx'
import { formatBytes } from './request-row.tsx'

/** Smaller bodies are fully expanded. Units: bytes. */
const SMALL = 4_096

type PairList = readonly (readonly [name: string, value: string])[]
const noPairs: PairList = []

interface MessageProps {
  /** `request` or `response`. */
  readonly name: string
  readonly message: RecordedMessage
  /** Order: as requested. */
  readonly query?: PairList
}

/** Renders the query, the body and the headers of a request or response. */
export function Message({ name, message, query = noPairs }: MessageProps) {
  const headers = Object.entries(message.headers)
  return (
    <>
      {query.length > 0 && (
        <>
          <h3>Query</h3>
          <Pairs pairs={query} />
        </>
      )}
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

function Body({ name, message }: Omit<MessageProps, 'query'>) {
  const [isText, setText] = useState(false)
  const { body, bodyBytes = 0, truncated } = message
  if (body === undefined) {
    const why = truncated ? 'The body was dropped to make room for newer requests.' : 'No body.'
    return <p class="hint">{why}</p>
  }
  if (body === '') return <p class="hint">Empty body.</p>
  const parsed = truncated ? undefined : parseJson(body)
  const text = parsed ? JSON.stringify(parsed.json, undefined, 2) : body
  return (
    <>
      <p class="row traffic-body-head">
        <strong>
          Body, {formatBytes(bodyBytes)}
          {!parsed && !truncated && ', not JSON'}
          {truncated &&
            `, of which the first ${formatBytes(new TextEncoder().encode(body).length)} are shown`}
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
        <pre class="body">{text}</pre>
      )}
    </>
  )
}

/** Renders names and values, one per line. */
export function Pairs({ pairs }: { readonly pairs: PairList }) {
  return (
    <dl class="facts traffic-pairs">
      {pairs.map(([name, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names may repeat
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
