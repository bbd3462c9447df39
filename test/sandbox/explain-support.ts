import { expect } from 'vitest'

import type { Explanation } from '../../src/index.ts'
import { openSandbox } from '../support.ts'

/** Ada manages Bo and Cy, Dee manages Eve; nobody manages Ada and Dee. */
const people = [
  { id: 1, firstName: 'Ada', lastName: 'Ash', managerId: 1 },
  { id: 2, firstName: 'Bo', lastName: 'Birk', managerId: 1 },
  { id: 3, firstName: 'Cy', lastName: 'Cole', managerId: 1 },
  { id: 4, firstName: 'Dee', lastName: 'Dorn', managerId: 4 },
  { id: 5, firstName: 'Eve', lastName: 'Elm', managerId: 4 },
]

const held = (key: string, memberId: number) => ({ memberRoles: [{ key, memberIds: [memberId] }] })

const place = { segment: 'SMB', domain: 'a.example', country: 'Italy', region: 'EMEA', city: 'Rome' }

/** The records of the tests; every other customer is generated. */
const fixture = {
  extends: 'default',
  members: people,
  customers: [
    {
      id: 900,
      ...place,
      ...held('csm', 2),
      products: [],
      sources: [{ key: 'salesforce', externalId: 'A-1' }],
      updatedDate: '2026-01-10T00:00:00.000Z',
    },
    { id: 901, ...place, ...held('csm', 3), products: [] },
    { id: 902, ...place, ...held('csm', 5), products: [] },
  ],
  signals: [
    { id: 9000, customerId: 900, status: 'open' },
    { id: 9001, customerId: 902, status: 'closed' },
  ],
  meetings: [{ id: 9500, customerId: 900, startDate: '2026-01-05T09:00:00.000Z' }],
}

export const sandbox = await openSandbox({ fixture })
/** Bo's token. */
export const bo = 'sbx_harbor_2'
export const home = '/organizations/harbor'

/** Explains a request, by default Bo's. */
export const explain = (path: string, id?: number, token: string = bo): Promise<Explanation> =>
  sandbox.explain({ path: `${home}${path}`, token, ...(id !== undefined && { id }) })

/** Finds the only condition with a name. */
export function condition({ conditions }: Explanation, name: string) {
  const found = conditions.filter((one) => one.name === name)
  expect(found.map((one) => one.name)).toEqual([name])
  return found[0]
}

/** Lists the names of the conditions that fail. */
export const missed = ({ conditions }: Explanation) =>
  conditions.filter(({ holds }) => holds === false).map(({ name }) => name)
