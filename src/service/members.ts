import * as z from 'zod'

import { adapt } from '../contract/codecs.ts'
import { recordId } from '../contract/fields.ts'
import { documented, documentedShape } from '../contract/provenance.ts'
import { isObject } from '../core/json.ts'
import type { Data } from '../store/session-data.ts'
import { endpoint, inPath, resource } from './endpoint.ts'

const source = 'Member'

const shape = documentedShape('Member', source, () => ({
  id: recordId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  organizationId: z.string(),
  managerId: documented(
    recordId.describe("Member id of this member's manager; the member's own id at the top of the hierarchy"),
    source,
    'A-09',
  ),
}))

/** A member of an organization. Source: Member; assumption A-09 at the top of the hierarchy. */
export const Member = adapt(shape, ({ absentValues }) =>
  absentValues === 'typed'
    ? undefined
    : {
        schema: shape.extend({
          managerId: documented(
            recordId
              .nullable()
              .describe("Member id of this member's manager; null at the top of the hierarchy"),
            source,
            'A-09',
          ),
        }),
        encode: (value) =>
          isObject(value) && value['managerId'] === value['id'] ? { ...value, managerId: null } : value,
        // A patch has no id.
        decode: (value) =>
          isObject(value) && value['managerId'] === null && 'id' in value
            ? { ...value, managerId: value['id'] }
            : value,
      },
)
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
