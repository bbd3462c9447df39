import { useMemo, useState } from 'preact/hooks'

import type { JournalEntry } from '../../../testing/journal/view.ts'
import { read } from '../../calls.ts'
import { readHar } from '../../client.ts'
import { formatBytes, plural } from '../../components/format.tsx'
import { tryJson } from '../../components/schema.ts'
import { Tree } from '../../components/tree.tsx'
import { Button, Facts, Folded } from '../../components/ui.tsx'

interface MessageProps {
  readonly name: 'request' | 'response'
  readonly entry: JournalEntry
  readonly collection: string | undefined
}

/** Renders the body of a request or response as a tree, and its headers folded. */
export function Message({ name, entry, collection }: MessageProps) {
  const { headers, body: recorded = '', bodyBytes = 0, truncated } = entry[name] ?? { headers: {} }
  const [whole, setWhole] = useState<string>()
  const body = whole ?? recorded
  const isCut = truncated === true && whole === undefined
  const parsed = useMemo(() => (isCut ? undefined : tryJson(body)), [body, isCut])
  const subject = `the body of the ${name}`
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
          <p class="row hint">
            {formatBytes(bodyBytes)}
            {isCut && ', of which the beginning is shown'}
            {isCut && (
              <Button run={async () => setWhole(await readWhole(entry, name))}>Show all of it</Button>
            )}
          </p>
          {parsed ? (
            <Tree value={parsed.json} subject={subject} collection={collection} hasReasons />
          ) : (
            <pre>{body}</pre>
          )}
        </>
      )}
      <Folded title={plural(Object.keys(headers).length, 'header')}>
        {() => <Facts facts={Object.entries(headers)} />}
      </Folded>
    </>
  )
}

/** Reads a whole body, which only the HAR export has. */
async function readWhole({ startedAt, url }: JournalEntry, name: MessageProps['name']): Promise<string> {
  const { log } = await read(readHar)
  const found = log.entries.find(
    (one) =>
      one.startedDateTime === startedAt &&
      one.request.url.endsWith(new URL(url).pathname + new URL(url).search),
  )
  return (name === 'request' ? found?.request.postData?.text : found?.response.content.text) ?? ''
}
