import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { documentedShape } from '../contract/provenance.ts'
import { endpoint, findInPath, type Resource, resource } from './endpoint.ts'

/** A member of an organization. Source: Member. */
export const Member = documentedShape('Member', 'Member', () => ({
  id: recordId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  organizationId: z.string(),
  managerId: recordId.describe(
    "Member id of this member's manager; the member's own id at the top of the hierarchy",
  ),
}))
export type Member = z.infer<typeof Member>

export const member: Resource<'members', typeof Member> = resource({
  table: 'members',
  shape: Member,
})

export const memberEndpoints = {
  getCurrentMember: endpoint({
    path: '/members/me',
    summary: "The member associated with the caller's token",
    resource: member,
    find: ({ caller }) => caller,
  }),
  listMembers: endpoint({
    path: '/organizations/{organizationId}/members',
    summary: 'The members of the organization',
    returns: 'list',
    assumes: 'A-02',
    resource: member,
    where: ({ path }) => [['organizationId', path.organizationId]],
  }),
  getMember: endpoint({
    path: '/organizations/{organizationId}/members/{memberId}',
    summary: 'One member of the organization',
    resource: member,
    find: (address) => {
      const row = findInPath('members', address.path.memberId, address)
      return row?.leftDate === undefined ? row : undefined
    },
  }),
}
