import type { Settings } from '../../../contract/choices.ts'
import type { CastMember } from '../../components/cast.ts'

/** A member with the number of managers above. */
export interface Placed extends CastMember {
  readonly depth: number
}

/** The manager of each member by id; the top of the hierarchy is its own manager. */
type Managers = ReadonlyMap<unknown, number>

/** Lists members below their managers. Order: by id. Members in a cycle or with an unknown manager go to the top. */
export function listByManager(members: readonly CastMember[], managers: Managers): readonly Placed[] {
  const placed = new Set<number>()
  const known = new Set(members.map(({ id }) => id))
  const managerOf = (id: number): number => managers.get(id) || id
  const grow = (member: CastMember, depth: number): readonly Placed[] => {
    if (placed.has(member.id)) return []
    placed.add(member.id)
    const reports = members.filter(({ id }) => id !== member.id && managerOf(id) === member.id)
    return [{ ...member, depth }, ...reports.flatMap((report) => grow(report, depth + 1))]
  }
  const tops = members.filter(({ id }) => managerOf(id) === id || !known.has(managerOf(id)))
  return [...tops, ...members].flatMap((member) => grow(member, 0))
}

/** Finds the ids of a member's team. Source: assumption A-12. */
export function findTeam(
  { id, organizationId }: CastMember,
  members: readonly CastMember[],
  managers: Managers,
  team: Settings['team'],
): ReadonlySet<number> {
  const own = members.filter((one) => one.organizationId === organizationId)
  const listReports = (manager: number | undefined) =>
    own.flatMap((one) => (managers.get(one.id) === manager ? [one.id] : []))
  const managerId = managers.get(id)
  if (managerId === undefined) return new Set()
  if (team === 'peers') return new Set(listReports(managerId))
  const branch = new Set([managerId])
  // The iteration includes members that are added meanwhile.
  for (const member of branch) for (const report of listReports(member)) branch.add(report)
  return branch
}
