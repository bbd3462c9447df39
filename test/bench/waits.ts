import * as z from 'zod'

import { send } from './requests.ts'
import type { Suite } from './rows.ts'
import { startCommand } from './servers.ts'

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** Measures how long others wait for a request while somebody calls the control plane of a large tenant. */
export const waits: Suite = {
  ids: ['wait'],
  async *measure() {
    await using server = await startCommand('--size', '20000', '--memory')
    const call = async (path: string, body?: unknown, method = 'POST'): Promise<string> => {
      const init = body === undefined ? {} : { method, body: JSON.stringify(body) }
      const ask = () => fetch(`http://127.0.0.1:${server.port}${path}`, init)
      return (await ask().catch(ask)).text()
    }
    await call(
      '/_sandbox/data/notes',
      Array.from({ length: 10_000 }, () => ({ customerId: 1 })),
    )
    const { paths } = Document.parse(JSON.parse(await call('/_sandbox/openapi.json')))
    const reads = Object.entries(paths).flatMap(([path, methods]) =>
      'get' in methods && !path.endsWith('/stream') ? [path.replaceAll(/\{collection\}/g, 'signals')] : [],
    )
    const request = { path: '/organizations/harbor/signals?scope=team', token: 'sbx_harbor_1', id: 1 }
    const writes = ['customers', 'signals', 'members', 'meetings', 'automations'].flatMap((table) =>
      ['PUT', 'PATCH', 'DELETE'].map((method) => [`/_sandbox/data/${table}/3`, {}, method] as const),
    )
    const state: unknown = JSON.parse(await call('/_sandbox/state'))
    const calls: readonly (readonly [path: string, body?: unknown, method?: string])[] = [
      ...reads.map((path) => [path.replaceAll(/\{\w+\}/g, '1')] as const),
      ['/_sandbox/sync/truth?collection=signals&as=1'],
      ['/_sandbox/sync/verdict?as=1', { copy: { notes: [], signals: [1, 2] } }],
      ['/_sandbox/explain', request],
      ['/_sandbox/sessions', { id: 'copy', from: 'default', future: 'living' }],
      ...writes,
      ['/_sandbox/state', state, 'PUT'],
    ]
    const longest = { ms: 0, path: '' }
    for (const [path, body, method] of calls) {
      const progress = { isOver: false }
      const called = call(path, body, method).finally(() => (progress.isOver = true))
      while (!progress.isOver) {
        const start = performance.now()
        await (await send(server, '/v1/members/me')).text()
        const ms = performance.now() - start
        if (ms > longest.ms) Object.assign(longest, { ms, path })
      }
      await called
    }
    yield { id: 'wait', value: longest.ms, details: longest.path }
  },
}
