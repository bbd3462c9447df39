import { once } from 'node:events'
import { createServer } from 'node:http'

import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'

import { expect as expectLater } from '../../src/playwright.ts'
import { openRemoteSession } from '../../src/sandbox/remote/session.ts'
import { openRemote, serve } from './control-support.ts'

const harbor = { organizationId: 'harbor' }

it('says what a matcher of Playwright needs', async () => {
  const { session, client } = await openRemote(await serve())
  // @ts-expect-error -- does not compile either
  expect(() => expectLater(client).toHaveActed('page-drift')).toThrow('needs a sandbox or a session')
  // @ts-expect-error -- as above
  expect(() => expectLater(session.baseUrl).not.toHaveReceived({})).toThrow('needs a sandbox or a session')
})

it('a matcher of Playwright waits until exactly these records have changed', async () => {
  const { session, client } = await openRemote(await serve())
  await session.data.customers.patch(2, { segment: 'Startup' })
  await expectLater(session).toHaveChanged([], { by: 'service' })
  const body = { categoryId: 1, content: 'Asked for a call.' }
  const later = session.clock.now().then(() => client.createCustomerNote({ ...harbor, customerId: 1, body }))
  await expectLater(session).toHaveChanged([{ created: 'notes', where: { customerId: 1 } }], {
    by: 'service',
  })
  await later
  await expectLater(session).not.toHaveChanged([{ updated: 'customers' }])
  // @ts-expect-error -- does not compile either
  await expect(expectLater(session).toHaveChanged([{ created: 'note' }])).rejects.toThrow(
    'did you mean notes?',
  )
})

it.each([
  [422, '{"errors":null}', 'The control plane returned 422: {"errors":null}'],
  [
    422,
    '{"detail":[{"msg":"too large"}]}',
    'The control plane returned 422: {"detail":[{"msg":"too large"}]}',
  ],
  [502, '<html>\n<h1>Bad Gateway</h1>', 'The control plane returned 502: <html> <h1>Bad Gateway</h1>'],
  [200, '<html>Sign in</html>', 'The control plane returned 200 without JSON: <html>Sign in</html>'],
])('fails with what a gateway says instead of the sandbox: %i %s', async (status, body, message) => {
  const gateway = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  onTestFinished(() => void gateway.close())
  const { port } = z.object({ port: z.int() }).parse(gateway.address())
  const opening = openRemoteSession({ url: `http://127.0.0.1:${port}` }, {})
  await expect(opening).rejects.toMatchObject({ name: 'SandboxError', code: 'internal_error', message })
})

it('says so if no sandbox answers', async () => {
  const message = expect.stringMatching(/^No sandbox answers at http:\/\/127\.0\.0\.1:9 \(.+\)\. /)
  await expect(openRemoteSession({ url: 'http://127.0.0.1:9' }, {})).rejects.toMatchObject({ message })
})

it('a closed session says so in another process, too, where it can be closed again', async () => {
  const { session } = await openRemote(await serve())
  await session.close()
  await session.close()
  for (const use of [session.clock.now(), session.faults.list(), session.saveState(), session.reset()]) {
    await expect(use).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(`There is no session ${session.id}`),
    })
  }
})
