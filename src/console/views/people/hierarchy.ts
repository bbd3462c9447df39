import type { CastMember } from '../../components/cast.tsx'

/** A member with the number of managers above. */
export interface Placed extends CastMember {
  readonly depth: number
}

/**
 * Lists members below their managers. Order: by id. Members in a cycle or with an unknown manager go to the top.
 * @param managers the manager of each member by id; the top of the hierarchy is its own manager
 */
export function listByManager(
  members: readonly CastMember[],
  managers: ReadonlyMap<unknown, number>,
): readonly Placed[] {
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
