import type { Har } from '../../../control/journal/har.ts'
import type { ExaminedRequest, RecordedMessage } from '../../../control/journal/view.ts'
import { useAnswer } from '../../parts/use-answer.ts'

/** A request whose long bodies, which the journal lists cut, are read whole; as it is until they are. */
export function useWhole(request: ExaminedRequest | undefined): ExaminedRequest | undefined {
  const isCut = isPart(request?.request) || isPart(request?.response)
  const path = `/_sandbox/requests.har?since=${(request?.id ?? 0) - 1}&limit=1`
  const har = useAnswer<Har>(isCut ? { path } : undefined, request?.durationMs).value
  const [found] = har?.log.entries ?? []
  if (!request || !found) return request
  const { response } = request
  return {
    ...request,
    request: whole(request.request, found.request.postData?.text),
    response: response && whole(response, found.response.content.text),
  }
}

const isPart = (message: RecordedMessage | undefined): boolean =>
  message?.truncated === true && message.body !== undefined

/** A message with its whole body, if that text is it. */
function whole(message: RecordedMessage, text: string | undefined): RecordedMessage {
  const { body, truncated, ...rest } = message
  if (!truncated || body === undefined || !text?.startsWith(body)) return message
  return { ...rest, body: text }
}
