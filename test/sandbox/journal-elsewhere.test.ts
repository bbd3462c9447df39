import { expect, it } from 'vitest'

import { expectProblem } from '../support.ts'
import { serve } from './control-support.ts'

const [base, right] = ['/_sandbox/sessions/one', '/v1/members/me']
it.for([
  ['/members/me?x=1', `It lacks /v1. Send ${right}.`],
  ['/v1/v1/members/me', `It has /v1 twice. Send ${right}.`],
  ['/api/v2/members/me', `It has /api/v2 in place of /v1. Send ${right}.`],
  [`${base}/members/me`, `It lacks /v1. Send ${base}${right}.`],
  [`${base}/v1/v1/members/me`, `It has /v1 twice. Send ${base}${right}.`],
  ['/member/me', 'It does not begin with /v1. The nearest endpoint is GET /v1/members/me.'],
  ['/%6Dembers/me', `It lacks /v1. Send ${right}.`],
])('keeps a request for %s, which is nowhere, as it was sent, and says: %s', async ([path = '', hint]) => {
  const { sandbox, url } = await serve()
  const one = sandbox.session({ id: 'one' })
  const session = path.startsWith(base) ? one : sandbox
  const sent = path.replace(/\?.*|^\/_sandbox.*(?=\/v1\/v1)/g, '')
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' },
    body: '{"content":"hello"}',
  }
  for (const target of [path, url + path]) {
    const send = target === path ? session.fetch : fetch
    const response = await send(target, init)
    expect(await expectProblem(response, 'not_found')).toMatchObject({
      detail: `There is no endpoint at this path. ${hint}`,
    })
    const [entry] = session.requests.list()
    expect(entry).toMatchObject({
      status: 404,
      path: sent,
      caller: { id: 1 },
      request: { body: init.body },
    })
    expect(entry?.operationId).toBeUndefined()
    expect(() => session.requests.verify({ path: '/members/me' })).toThrow('members/me')
    expect(await session.explain({ requestId: 1 })).toMatchObject({ status: 404 })
    await session.reset()
  }
  expect((sandbox === session ? one : sandbox).requests.list()).toEqual([])
})
