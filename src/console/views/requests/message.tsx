import type { RecordedMessage } from '../../../control/journal/view.ts'
import { Copy } from '../../parts/copy.tsx'
import { Json } from '../../parts/json.tsx'
import { FoldedPairs } from './pairs.tsx'

/** A body of more is folded at first. Units: bytes. */
const LARGE = 32_768

/** A body of less is unfolded with all that is in it. Units: bytes. */
const SMALL = 2_048

const noPairs: readonly (readonly [string, string])[] = []

interface MessageProps {
  /** What it is: the request, or the answer. */
  readonly title: string
  readonly message: RecordedMessage
  /** Order: as asked. */
  readonly query?: readonly (readonly [name: string, value: string])[]
}

/** Headers and body of a request or an answer. */
export function Message({ title, message, query = noPairs }: MessageProps) {
  return (
    <section class="request-part">
      <h3>{title}</h3>
      <FoldedPairs pairs={query} noun="query parameter" />
      <FoldedPairs pairs={Object.entries(message.headers)} noun="header" />
      <Body title={title} message={message} />
    </section>
  )
}

function Body({ title, message }: Omit<MessageProps, 'query'>) {
  const { body, bodyBytes = 0, truncated } = message
  if (body === undefined) {
    const why = truncated ? 'Its body made room for those of younger requests.' : 'No body.'
    return <p class="hint">{why}</p>
  }
  if (body === '') return <p class="hint">Its body is empty.</p>
  const value = truncated ? undefined : parsed(body)
  return (
    <details open={bodyBytes <= LARGE}>
      <summary>
        Body, {bytesText(bodyBytes)}
        {value === undefined && !truncated && ', not JSON'}
        {truncated && `, of which the first ${bytesText(new TextEncoder().encode(body).length)} are shown`}
      </summary>
      <div class="request-body">
        {value === undefined ? (
          <pre>{body}</pre>
        ) : (
          <Json value={value.json} openDepth={bodyBytes < SMALL ? Infinity : undefined} />
        )}
        <Copy text={body} what={`the body of the ${title.toLowerCase()}`} />
      </div>
    </details>
  )
}

/** A text's JSON, undefined where it is none. */
function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** As in `820 bytes`, `12.4 kB`. */
function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} byte${bytes === 1 ? '' : 's'}`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
