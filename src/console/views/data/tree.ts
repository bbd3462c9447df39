import type { Settings } from '../../../contract/choices.ts'
import { type AnyRecord, labelOf, textOf } from './words.ts'

/** A member, and those that report to it. */
export interface TreeMember {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly managerId: number
  /** Order: by id. */
  readonly reports: readonly TreeMember[]
}

type Person = Omit<TreeMember, 'reports'>

/** A member's own manager is the member itself at the top. */
const personOf = (record: AnyRecord): Person => {
  const id = Number(record['id'])
  const managerId = Number(record['managerId']) || id
  return {
    id,
    name: labelOf({ ...record, title: undefined }),
    title: textOf(record['title'] ?? ''),
    managerId,
  }
}

/**
 * Members below their managers. Order: by id. Who manages each other in a ring, or has a manager who is not there,
 * stands at the top.
 */
export function treeOf(members: readonly AnyRecord[]): readonly TreeMember[] {
  const people = members.map(personOf)
  const placed = new Set<number>()
  const under = (id: number) => people.filter(({ managerId }) => managerId === id)
  const grown = (person: Person): readonly TreeMember[] => {
    if (placed.has(person.id)) return []
    placed.add(person.id)
    return [{ ...person, reports: under(person.id).flatMap(grown) }]
  }
  const known = new Set(people.map(({ id }) => id))
  const tops = people.filter(({ id, managerId }) => id === managerId || !known.has(managerId))
  return [...tops, ...people].flatMap(grown)
}

/** The ids of a member's team. Source: assumption A-12. */
export function teamOf(
  members: readonly AnyRecord[],
  memberId: number,
  team: Settings['team'],
): ReadonlySet<number> {
  const people = members.map(personOf)
  const managerId = people.find(({ id }) => id === memberId)?.managerId
  if (managerId === undefined) return new Set()
  const under = (manager: number) =>
    people.filter((person) => person.managerId === manager).map(({ id }) => id)
  if (team === 'peers') return new Set(under(managerId))
  const branch = new Set([managerId])
  // A set goes on with what is added while it is gone through.
  for (const member of branch) for (const id of under(member)) branch.add(id)
  return branch
}
