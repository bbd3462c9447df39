import { expect, it } from 'vitest'

import { bodyOf, run, serve } from './command.ts'

const headers = { authorization: 'Bearer sbx_harbor_1' }

it('rejects requests that name no session with --require-session, and says how to open one', async () => {
  const { url, baseUrl } = await serve(['--memory', '--require-session'])
  const refused = await fetch(`${baseUrl}/members/me`, { headers })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('POST /_sandbox/sessions')
  const opened = await fetch(`${url}/_sandbox/sessions`, { method: 'POST' })
  const session = await bodyOf<{ baseUrl: string }>(opened)
  expect((await fetch(`${session.baseUrl}/members/me`, { headers })).status).toBe(200)
})

it('rejects an invalid --session-ttl', async () => {
  const { code, stderr } = await run(['start', '--memory', '--session-ttl', '0'])
  expect(code).toBe(2)
  expect(stderr).toContain('must be a number of minutes above 0')
})
