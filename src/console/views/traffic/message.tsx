import type { RecordedMessage } from '../../../journal/view.ts'
import { Copy } from '../../components/code.tsx'
import { Json } from '../../components/json.tsx'

/** Larger bodies are collapsed at first. Units: bytes. */
const LARGE = 32_768

/** Smaller bodies are fully expanded. Units: bytes. */
const SMALL = 2_048

const noPairs: readonly (readonly [string, string])[] = []

interface MessageProps {
  /** `Request` or `Response`. */
  readonly title: string
  readonly message: RecordedMessage
  /** Order: as requested. */
  readonly query?: readonly (readonly [name: string, value: string])[]
}

/** Renders the headers and body of a request or response. */
export function Message({ title, message, query = noPairs }: MessageProps) {
  return (
    <section class="request-part">
      <h3>{title}</h3>
      <CollapsiblePairs pairs={query} noun="query parameter" />
      <CollapsiblePairs pairs={Object.entries(message.headers)} noun="header" />
      <Body title={title} message={message} />
    </section>
  )
}

function Body({ title, message }: Omit<MessageProps, 'query'>) {
  const { body, bodyBytes = 0, truncated } = message
  if (body === undefined) {
    const why = truncated ? 'The body was dropped to make room for newer requests.' : 'No body.'
    return <p class="hint">{why}</p>
  }
  if (body === '') return <p class="hint">Empty body.</p>
  const value = truncated ? undefined : parseBody(body)
  return (
    <details open={bodyBytes <= LARGE}>
      <summary>
        Body, {formatBytes(bodyBytes)}
        {value === undefined && !truncated && ', not JSON'}
        {truncated && `, of which the first ${formatBytes(new TextEncoder().encode(body).length)} are shown`}
      </summary>
      <div class="request-body">
        {value === undefined ? (
          <pre>{body}</pre>
        ) : (
          <Json value={value.json} openDepth={bodyBytes < SMALL ? Infinity : undefined} />
        )}
        <Copy text={body} subject={`the body of the ${title.toLowerCase()}`} />
      </div>
    </details>
  )
}

/** Parses JSON; undefined if it is invalid. */
function parseBody(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Formats a size, as in `820 bytes`, `12.4 kB`. */
function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} byte${bytes === 1 ? '' : 's'}`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Renders names and values, one per line. */
export function Pairs({ pairs }: { readonly pairs: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="request-pairs">
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

interface CollapsiblePairsProps {
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** The word for one of them. */
  readonly noun: string
}

/** Renders names and values, collapsed at first; nothing if there are none. */
function CollapsiblePairs({ pairs, noun }: CollapsiblePairsProps) {
  if (pairs.length === 0) return null
  return (
    <details>
      <summary>
        {pairs.length} {noun}
        {pairs.length > 1 && 's'}
      </summary>
      <Pairs pairs={pairs} />
    </details>
  )
}
