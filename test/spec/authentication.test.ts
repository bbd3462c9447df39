import { expect, it } from 'vitest'

import { as, expectProblem, openSandbox } from '../support.ts'

const sandbox = await openSandbox({ fixture: 'empty' })
const [mara, nobody] = [as(sandbox, 'mara'), as(sandbox, 'nobody')]

/** Asks for the caller with an Authorization header. */
const sendAs = (authorization: string) => nobody.send('/members/me', { headers: { authorization } })

it('returns the member that the token belongs to', async () => {
  const shown = { id: 1, firstName: 'Mara', lastName: 'Ellis', organizationId: 'harbor' }
  expect(await mara.get('/members/me')).toMatchObject(shown)
  const omar = { id: 501, firstName: 'Omar', lastName: 'Haddad', organizationId: 'quill' }
  expect(await as(sandbox, 'omar').get('/members/me')).toMatchObject(omar)
})

it('rejects an unknown token and a malformed Authorization header (assumed A-05)', async () => {
  for (const token of ['harbor_99', 'quill_1', 'harbor_01', 'HARBOR_1', 'harbor_1 sbx_harbor_2']) {
    await expectProblem(await sendAs(`Bearer sbx_${token}`), 'unauthorized')
  }
  for (const header of ['sbx_harbor_1', 'Bearer', 'Basic sbx_harbor_1', 'Bearer: sbx_harbor_1', 'Token x']) {
    const { detail } = await expectProblem(await sendAs(header), 'unauthorized')
    expect(detail).toContain('Bearer <ACCESS_TOKEN>')
  }
})

it('accepts the scheme in any case (assumed A-17)', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect((await sendAs(`${scheme} sbx_harbor_1`)).status).toBe(200)
  }
})

it('gives every member of at least two organizations a token that is visibly fake and works, the default caller first (assumed A-31)', async () => {
  const { organizations } = sandbox.credentials
  expect(organizations.map(({ id }) => id)).toEqual(['harbor', 'quill'])
  const caller = { id: 1, name: 'Mara Ellis', token: 'sbx_harbor_1' }
  expect(organizations[0]?.members[0]).toMatchObject(caller)
  for (const { id, token } of organizations.flatMap(({ members }) => members)) {
    expect(token).toMatch(/^sbx_/)
    expect(await (await sendAs(`Bearer ${token}`)).json()).toMatchObject({ id })
  }
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
  const foreign = await expectProblem(await mara.send('/organizations/quill/members'), 'forbidden')
  const unknown = await expectProblem(await mara.send('/organizations/nowhere/members'), 'forbidden')
  expect(unknown).toEqual(foreign)
})
