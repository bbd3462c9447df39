import type { ExaminedRequest } from '../../../explain/report.ts'
import type { RecordedMessage } from '../../../journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { useRead } from '../../components/use-calls.ts'

/** Loads the full bodies of a request if the journal cut them off. */
export function useFullBodies(request: ExaminedRequest | undefined): ExaminedRequest | undefined {
  const isCut = isTruncated(request?.request) || isTruncated(request?.response)
  const query = { since: `${(request?.id ?? 0) - 1}`, limit: '1' }
  const call = prepare('get', routes['requests.har'], { query })
  const har = useRead(isCut ? call : undefined, request?.durationMs).value
  const [found] = har?.log.entries ?? []
  if (!request || !found) return request
  const { response } = request
  return {
    ...request,
    request: withFullBody(request.request, found.request.postData?.text),
    response: response && withFullBody(response, found.response.content.text),
  }
}

const isTruncated = (message: RecordedMessage | undefined): boolean =>
  message?.truncated === true && message.body !== undefined

/** Returns a message with its full body, if the text matches. */
function withFullBody(message: RecordedMessage, text: string | undefined): RecordedMessage {
  const { body, truncated, ...rest } = message
  if (!truncated || body === undefined || !text?.startsWith(body)) return message
  return { ...rest, body: text }
}
