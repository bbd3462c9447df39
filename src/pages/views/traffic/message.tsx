import { useMemo } from 'preact/hooks'

import type { JournalEntry } from '../../../testing/journal/view.ts'
import { useRead } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { formatBytes, plural } from '../../components/format.tsx'
import { tryJson } from '../../components/schema.ts'
import { Tree } from '../../components/tree.tsx'
import { Facts, Folded, Loaded } from '../../components/ui.tsx'

interface MessageProps {
  readonly name: 'request' | 'response'
  readonly entry: JournalEntry
  readonly collection: string | undefined
}

export function Message({ name, entry, collection }: MessageProps) {
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
