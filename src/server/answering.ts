import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

import type { App } from '../http/app.ts'

/** What a Node server calls with each request. */
export type RequestListener = (
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
) => Promise<void>

/** What answers a server's requests. */
export interface Answering extends Pick<App, 'fetch'>, Partial<Pick<App, 'answerPlain'>> {}
