import type { Lookup } from '../../src/store/references.ts'
import type { Row } from '../../src/store/tables.ts'
import { toDomain } from '../customers/company-names.ts'
import { computeId, getPosition } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { RecordKey } from '../random/record-key.ts'
import { findJobPosition } from './job-positions.ts'
import { createEmail, findLocale, generatePerson } from './people.ts'

export function generateMember(id: number, fields: Partial<Row<'members'>>, tenant: Tenant): Row<'members'> {
  const organization = tenant.findOrganization('members', id, fields.organizationId)
  const position = findJobPosition(organization.ordinal, getPosition('members', id))
  const managerId = computeId('members', organization.ordinal, position.manager)
  const generated = generatePerson(
    new RecordKey(tenant.seed, 'members', id).faker('name', findLocale('United States')),
  )
  const name = {
    firstName: fields.firstName ?? generated.firstName,
    lastName: fields.lastName ?? generated.lastName,
  }
  return {
    id,
    organizationId: organization.id,
    ...name,
    email: makeUniqueEmail(createEmail(name, toDomain(organization.name)), id, organization.id, tenant.data),
    title: position.title,
    managerId: chooseManager(id, managerId, organization.id, tenant.data),
  }
}

/** The members that every organization has. They count as existing before they are generated. */
const MIN_MEMBERS = 12

function chooseManager(id: number, managerId: number, organizationId: string, data: Lookup): number {
  const isGenerated = Math.abs(id - managerId) < 100
  if (isGenerated && getPosition('members', managerId) <= MIN_MEMBERS) return managerId
  if (data.get('members', managerId)?.organizationId === organizationId) return managerId
  const members = data.list('members', organizationId)
  return (members.find((member) => member.managerId === member.id) ?? members[0])?.id ?? id
}

function makeUniqueEmail(email: string, id: number, organizationId: string, data: Lookup): string {
  const isTaken = data
    .find('members', 'email', email)
    .some((member) => member.id !== id && member.organizationId === organizationId)
  return isTaken ? email.replace('@', `${id}@`) : email
}
