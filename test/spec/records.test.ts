import { expect, it } from 'vitest'

import { as, expectProblem, home, openSandbox } from '../support.ts'

const theirs = { organizationId: 'quill' }
const automation = { deactivatedDate: null, parentId: null, triggers: [], actions: [] }

/** Records of both organizations, and some that belong to another parent than the path names. */
const fixture = {
  extends: 'empty',
  customers: [{ id: 1 }, { id: 2 }, { id: 81, ...theirs }],
  signals: [
    { id: 1, customerId: 1 },
    { id: 81, customerId: 81, ...theirs },
  ],
  products: [
    { id: 71, key: 'atlas', name: 'Atlas' },
    { id: 81, key: 'coral', name: 'Coral', ...theirs },
  ],
  briefs: [
    { id: 71, key: 'renewal', name: 'Renewal', description: 'What is due.', isActive: true },
    { id: 81, key: 'theirs', name: 'Theirs', description: 'What is theirs.', isActive: true, ...theirs },
  ],
  meetings: [{ id: 1, customerId: 1 }],
  automations: [
    { ...automation, id: 71, name: 'Renewal watch', triggers: [{ id: 711 }], actions: [{ id: 712 }] },
    { ...automation, id: 72, name: 'Tell the team', triggers: [{ id: 721 }] },
    { ...automation, id: 81, name: 'Theirs', ...theirs },
  ],
}

/** Paths to a record that another organization or parent has, and to one that does not exist. */
const pairs = [
  ['members/501', 'members/99'],
  ['customers/81', 'customers/99'],
  ['signals/81', 'signals/99'],
  ['products/81/metrics', 'products/99/metrics'],
  ['automations/81', 'automations/99'],
  ['customers/1/briefs/81/contents', 'customers/1/briefs/99/contents'],
  ['customers/2/meetings/1', 'customers/2/meetings/99'],
  ['automations/71/triggers/721/logs', 'automations/71/triggers/99/logs'],
  ['automations/71/triggers/712/logs', 'automations/99/triggers/712/logs'],
  ['automations/71/actions/711/logs', 'automations/71/actions/99/logs'],
]

it('responds alike to a record of another organization or parent and to one that does not exist (assumed A-08)', async () => {
  const mara = as(await openSandbox({ fixture }), 'mara')
  for (const [foreign, unknown] of pairs) {
    const problem = await expectProblem(await mara.send(`${home}/${foreign}`), 'not_found')
    expect(await expectProblem(await mara.send(`${home}/${unknown}`), 'not_found'), `at ${foreign}`).toEqual(
      problem,
    )
  }
})

it.for(['members', 'customers', 'signals', 'products', 'briefs', 'automations'])(
  'lists the %s of the caller’s organization only',
  async (list) => {
    const sandbox = await openSandbox({ fixture })
    const read = async (name: 'mara' | 'omar', organization: string) =>
      JSON.stringify(await as(sandbox, name).get(`/organizations/${organization}/${list}`))
    const [mine, others] = [await read('mara', 'harbor'), await read('omar', 'quill')]
    expect(mine).not.toContain(`"id":${list === 'members' ? 501 : 81},`)
    expect(others).toContain(`"id":${list === 'members' ? 501 : 81},`)
  },
)
