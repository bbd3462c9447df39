import type { Lookup } from '../src/store/references.ts'
import type { Row } from '../src/store/tables.ts'
import { domainOf } from './company-names.ts'
import { idAt, positionOf } from './ids.ts'
import { emailOf, personFrom } from './people.ts'
import { postAt } from './posts.ts'
import { recordKey } from './random.ts'
import type { Tenant } from './tenant.ts'

/** Draws a member; its manager is one that exists. */
export function draftMember(id: number, given: Partial<Row<'members'>>, tenant: Tenant): Row<'members'> {
  const organization = tenant.organizationFor('members', id, given.organizationId)
  const position = positionOf('members', id)
  const post = postAt(organization.ordinal, position)
  const drawn = personFrom(recordKey(tenant.seed, 'members', id).for('name'), 'United States')
  const name = { firstName: given.firstName ?? drawn.firstName, lastName: given.lastName ?? drawn.lastName }
  return {
    id,
    organizationId: organization.id,
    ...name,
    email: freeEmail(
      emailOf(name, domainOf(organization.name)),
      id,
      tenant.data.list('members', organization.id),
    ),
    title: post.title,
    managerId: managerOf(
      id,
      idAt('members', organization.ordinal, post.manager),
      tenant.data,
      organization.id,
    ),
  }
}

/** The first of an organization's members exist in every size, in the generator's eyes before they are drawn. */
const ALWAYS = 12

function managerOf(id: number, wanted: number, data: Lookup, organizationId: string): number {
  const isGenerated = Math.abs(id - wanted) < 100
  if (isGenerated && positionOf('members', wanted) <= ALWAYS) return wanted
  if (data.get('members', wanted)?.organizationId === organizationId) return wanted
  const members = data.list('members', organizationId)
  return (members.find((member) => member.managerId === member.id) ?? members[0])?.id ?? id
}

function freeEmail(email: string, id: number, members: readonly Row<'members'>[]): string {
  const isTaken = members.some((member) => member.id !== id && member.email === email)
  return isTaken ? email.replace('@', `${id}@`) : email
}
