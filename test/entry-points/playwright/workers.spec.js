import { ask, expect, openApp, test } from './support.js'

test.beforeEach(openApp)

for (const name of ['one', 'two', 'three'])
  test(name, async ({ page, sandbox }) => {
    expect(sandbox.baseUrl).toContain(process.env.WORKSPACE_SANDBOX_URL.replace('/v1', ''))
    expect((await ask(page, '/v1/members/me')).status).toBe(200)
    expect(await sandbox.requests.list()).toHaveLength(name === 'three' ? 0 : 1)
  })
