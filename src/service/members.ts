import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { documentedShape } from '../contract/provenance.ts'
import type { Data } from '../store/session-data.ts'
import { endpoint, inPath, resource } from './endpoint.ts'

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

const member = resource({ table: 'members', shape: Member })

/** Presents the members that a record embeds by their ids. */
export const presentMembers = (ids: readonly number[], data: Data): Member[] =>
  ids.flatMap((id) => {
    const row = data.get('members', id)
    return row ? member.present(row, data) : []
  })

const findMember = inPath('members', 'memberId')

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
      const row = findMember(address)
      return row?.leftDate === undefined ? row : undefined
    },
  }),
}
