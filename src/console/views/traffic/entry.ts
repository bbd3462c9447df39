import type { RecordedMessage, JournalEntry } from '../../../journal/view.ts'
import { read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'

/** Loads the full bodies of a request if the journal cut them off. */
export function useFullBodies<T extends JournalEntry>(entry: T | undefined): T | undefined {
  const har = useRead(entry && isCut(entry) ? readHar(entry.id) : undefined, entry?.durationMs).value
  return entry && withFullBodies(entry, har?.log.entries[0])
}

/** Reads a request with its full bodies. Errors: RequestError. */
export async function loadEntry(id: number): Promise<JournalEntry> {
  const entry = await read(prepare('get', routes.requests[':id'], { param: { id: `${id}` } }))
  return isCut(entry) ? withFullBodies(entry, (await read(readHar(id))).log.entries[0]) : entry
}

const readHar = (id: number) =>
  prepare('get', routes['requests.har'], { query: { since: `${id - 1}`, limit: '1' } })

const isCut = ({ request, response }: JournalEntry): boolean =>
  [request, response].some((message) => message?.truncated === true && message.body !== undefined)

/** The bodies of a request in an HTTP archive. */
interface Archived {
  readonly request: { readonly postData?: { readonly text: string } | undefined }
  readonly response: { readonly content: { readonly text?: string | undefined } }
}

function withFullBodies<T extends JournalEntry>(entry: T, found: Archived | undefined): T {
  if (!found) return entry
  const { request, response } = entry
  return {
    ...entry,
    request: withFullBody(request, found.request.postData?.text),
    response: response && withFullBody(response, found.response.content.text),
  }
}

/** Returns a message with its full body, if the text matches. */
function withFullBody(message: RecordedMessage, text: string | undefined): RecordedMessage {
  const { body, truncated, ...rest } = message
  if (!truncated || body === undefined || !text?.startsWith(body)) return message
  return { ...rest, body: text }
}
