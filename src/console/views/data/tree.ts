import type { Settings } from '../../../contract/choices.ts'
import { type AnyRecord, getLabel, toText } from './labels.ts'

/** A member with its reports. */
export interface TreeMember {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly managerId: number
  /** Order: by id. */
  readonly reports: readonly TreeMember[]
}

type Person = Omit<TreeMember, 'reports'>

/** Converts a record; a member without a manager counts as its own manager. */
const toPerson = (record: AnyRecord): Person => {
  const id = Number(record['id'])
  const managerId = Number(record['managerId']) || id
  return {
    id,
    name: getLabel({ ...record, title: undefined }),
    title: toText(record['title'] ?? ''),
    managerId,
  }
}

/** Arranges members below their managers. Order: by id. Members in a cycle or with an unknown manager go to the top. */
export function buildTree(members: readonly AnyRecord[]): readonly TreeMember[] {
  const people = members.map(toPerson)
  const placed = new Set<number>()
  const under = (id: number) => people.filter(({ managerId }) => managerId === id)
  const grow = (person: Person): readonly TreeMember[] => {
    if (placed.has(person.id)) return []
    placed.add(person.id)
    return [{ ...person, reports: under(person.id).flatMap(grow) }]
  }
  const known = new Set(people.map(({ id }) => id))
  const tops = people.filter(({ id, managerId }) => id === managerId || !known.has(managerId))
  return [...tops, ...people].flatMap(grow)
}

/** Returns the ids of a member's team. Source: assumption A-12. */
export function getTeam(
  members: readonly AnyRecord[],
  memberId: number,
  team: Settings['team'],
): ReadonlySet<number> {
  const people = members.map(toPerson)
  const managerId = people.find(({ id }) => id === memberId)?.managerId
  if (managerId === undefined) return new Set()
  const under = (manager: number) =>
    people.filter((person) => person.managerId === manager).map(({ id }) => id)
  if (team === 'peers') return new Set(under(managerId))
  const branch = new Set([managerId])
  // The iteration includes members that are added meanwhile.
  for (const member of branch) for (const id of under(member)) branch.add(id)
  return branch
}
