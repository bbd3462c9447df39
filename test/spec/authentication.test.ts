import { expect, it } from 'vitest'

import { as, expectProblem, openSandbox } from '../support.ts'

it('returns the member that the token belongs to', async () => {
  const sandbox = await openSandbox({ fixture: 'empty' })
  const mara = { id: 1, firstName: 'Mara', lastName: 'Ellis', organizationId: 'harbor' }
  expect(await as(sandbox, 'mara').get('/members/me')).toMatchObject(mara)
  const omar = { id: 501, firstName: 'Omar', lastName: 'Haddad', organizationId: 'quill' }
  expect(await as(sandbox, 'omar').get('/members/me')).toMatchObject(omar)
})

it('rejects an unknown token and a malformed Authorization header (assumed A-05)', async () => {
  const nobody = as(await openSandbox({ fixture: 'empty' }), 'nobody')
  const refuse = async (authorization: string) => {
    const response = await nobody.send('/members/me', { headers: { authorization } })
    return (await expectProblem(response, 'unauthorized')).detail
  }
  for (const token of ['harbor_99', 'quill_1', 'harbor_01', 'HARBOR_1', 'harbor_1 sbx_harbor_2']) {
    await refuse(`Bearer sbx_${token}`)
  }
  for (const header of ['sbx_harbor_1', 'Bearer', 'Basic sbx_harbor_1', 'Bearer: sbx_harbor_1', 'Token x']) {
    expect(await refuse(header)).toContain('Bearer <ACCESS_TOKEN>')
  }
})

it('accepts the scheme in any case (assumed A-17)', async () => {
  const sandbox = await openSandbox({ fixture: 'empty' })
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} sbx_harbor_1` }
    expect((await as(sandbox, 'nobody').send('/members/me', { headers })).status).toBe(200)
  }
})

it('gives every member a token that is visibly fake and works (assumed A-31)', async () => {
  const sandbox = await openSandbox({ fixture: 'empty' })
  const members = sandbox.credentials.organizations.flatMap(({ members: listed }) => listed)
  for (const { id, token } of members) {
    expect(token).toMatch(/^sbx_/)
    const headers = { authorization: `Bearer ${token}` }
    const response = await as(sandbox, 'nobody').send('/members/me', { headers })
    expect(await response.json()).toMatchObject({ id })
  }
})

it('lists at least two organizations, with the default caller first (assumed A-31)', async () => {
  const { credentials } = await openSandbox({ fixture: 'empty' })
  expect(credentials.organizations.map(({ id }) => id)).toEqual(['harbor', 'quill'])
  expect(credentials.organizations[0]?.members[0]).toMatchObject({
    id: 1,
    name: 'Mara Ellis',
    token: 'sbx_harbor_1',
  })
})

it('keeps tokens when the seed and the size change (assumed A-31)', async () => {
  const { credentials: small } = await openSandbox({ seed: 7, size: 3 })
  const { credentials: large } = await openSandbox({ seed: 42, size: 60 })
  for (const [index, { members }] of small.organizations.entries()) {
    const tokens = large.organizations[index]?.members.map(({ token }) => token)
    expect(tokens).toEqual(expect.arrayContaining(members.map(({ token }) => token)))
  }
})

it('responds alike to an organization that does not exist and to a foreign one (assumed A-07)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const foreign = await expectProblem(await mara.send('/organizations/quill/members'), 'forbidden')
  const unknown = await expectProblem(await mara.send('/organizations/nowhere/members'), 'forbidden')
  expect(unknown).toEqual(foreign)
})
