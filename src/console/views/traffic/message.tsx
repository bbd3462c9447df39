import { useMemo, useState } from 'preact/hooks'

import type { RecordedMessage } from '../../../journal/view.ts'
import { Copy } from '../../components/code.tsx'
import { formatBytes, plural } from '../../components/format.tsx'
import { Json, parseJson } from '../../components/json.tsx'
import { Button, Facts } from '../../components/ui.tsx'

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
          <Button class="small" pressed={isText} run={() => setText(!isText)}>
            As text
          </Button>
        )}
        <Copy text={text} subject={`the body of the ${name}`} />
      </p>
      {parsed && !isText ? (
        <Json value={parsed.json} openDepth={bodyBytes < SMALL ? Infinity : 3} />
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
