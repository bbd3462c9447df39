import { expect, it } from 'vitest'

import { preflight, serve } from './control-support.ts'

const origin = 'https://app.example'
const mara = { authorization: 'Bearer sbx_harbor_1' }
const customers = '/v1/organizations/harbor/customers'

/** The response headers that a page may read. */
const grants = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

it('lets no page of another origin read preflights, responses, errors or faults if cors is none', async () => {
  const { ask, sandbox } = await serve({ assumptions: { cors: 'none' } })
  sandbox.session({ id: 'x' })
  sandbox.faults.add({ operationId: 'listProducts', status: 503 })
  sandbox.faults.add({ operationId: 'listBriefs', status: 204 })
  sandbox.faults.add({ operationId: 'listMembers', headers: { 'x-extra': 'yes' } })
  sandbox.faults.add({ operationId: 'listMemberRoles', malfunction: 'malformed' })
  const home = '/v1/organizations/harbor'
  const bases = ['/v1/members/me', '/_sandbox/sessions/x/v1/members/me', customers, `${customers}?x=1`]
  const faulted = ['products', 'briefs', 'members', 'member-roles'].map((name) => `${home}/${name}`)
  const refused = [
    '/v1/nowhere',
    '/v1/organizations/quill/members',
    `${customers}/x`,
    '/nowhere',
    '/openapi.json',
  ]
  for (const path of [...bases, ...faulted, ...refused]) {
    for (const method of ['GET', 'HEAD']) {
      // The second response comes from the cache.
      for (let count = 0; count < 3; count += 1) {
        const { headers } = await ask(path, { method, headers: { ...mara, origin } })
        expect(grants(headers), `${method} ${path}`).toEqual([])
      }
    }
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await ask(path, preflight(origin, method))
      expect(status, `preflight of ${path}`).toBeGreaterThanOrEqual(400)
      expect(grants(headers), `preflight of ${path}`).toEqual([])
    }
  }
  const unknown = await ask('/_sandbox/sessions/y/v1/members/me', { headers: { ...mara, origin } })
  expect([unknown.status, grants(unknown.headers)]).toEqual([404, []])
})

it('applies the cors setting of the session in the base URL', async () => {
  const { ask, sandbox } = await serve()
  sandbox.session({ id: 'closed', assumptions: { cors: 'none' } })
  const me = '/v1/members/me'
  const asked = async (path: string) => (await ask(path, preflight(origin, 'GET'))).status
  expect(await asked(me)).toBe(204)
  expect(await asked(`/_sandbox/sessions/closed${me}`)).toBeGreaterThanOrEqual(400)
})
