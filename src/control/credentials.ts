import type { OrganizationRow } from '../store/rows.ts'
import type { Data } from '../store/session-data.ts'
import { invalidTokens, tokenOf } from '../store/tokens.ts'

/** Who may call the service, with which token. Order: as in the dataset; the first member is the default caller. */
export interface Credentials {
  readonly organizations: readonly {
    readonly id: string
    readonly name: string
    readonly members: readonly {
      readonly id: number
      readonly name: string
      readonly role: string
      readonly token: string
    }[]
  }[]
  /** Tokens that always answer 401. */
  readonly invalidTokens: readonly string[]
}

/** The credentials of every member that a session has. */
export function credentialsOf(organizations: readonly OrganizationRow[], data: Data): Credentials {
  return {
    organizations: organizations.map(({ id, name }) => {
      const members = data.select('members', [['organizationId', id]])
      return {
        id,
        name,
        members: members.page(0, members.total).map((member) => ({
          id: member.id,
          name: `${member.firstName} ${member.lastName}`,
          role: member.title,
          token: tokenOf(member),
        })),
      }
    }),
    invalidTokens,
  }
}
