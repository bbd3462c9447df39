import type { Credentials } from '../../../control/credentials.ts'
import type { MemberVisibility } from '../../../control/visibility.ts'

type Organization = Credentials['organizations'][number]

/** Members of an organization that a search finds. */
export interface Found {
  readonly organization: Organization
  /** Order: as in the credentials. */
  readonly members: Organization['members']
}

/** The members in whom every word of a text is found, by organization; none is left out where the text is empty. */
export function foundIn(organizations: readonly Organization[], text: string): readonly Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return organizations.flatMap((organization) => {
    const members = organization.members.filter(({ id, name, role, token }) => {
      const all = `${id} ${name} ${role} ${token} ${organization.name}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    return members.length > 0 ? [{ organization, members }] : []
  })
}

/** What is seen, by the member who sees it. */
export type Sights = ReadonlyMap<string, MemberVisibility>

/** What each member sees. */
export function sightsOf(items: readonly MemberVisibility[]): Sights {
  return new Map(items.map((item) => [`${item.organizationId} ${item.memberId}`, item]))
}

/** What a member sees; undefined where it is not known. */
export function sightOf(
  sights: Sights,
  organizationId: string,
  memberId: number,
): MemberVisibility | undefined {
  return sights.get(`${organizationId} ${memberId}`)
}
