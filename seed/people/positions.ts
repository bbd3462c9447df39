import type { Row } from '../../src/store/tables.ts'
import { DIVISION } from '../dataset/ids.ts'

/** The role that a member has on customers; `none` for members without one. */
export type Duty = 'csm' | 'accountManager' | 'executiveSponsor' | 'implementationLead' | 'none'

/** Detects a member's role on customers from their title. */
export function detectDuty(member: Pick<Row<'members'>, 'title'>): Duty {
  const { title } = member
  if (/Analyst|Operations|Assistant/.test(title)) return 'none'
  if (/Implementation/.test(title)) return 'implementationLead'
  if (/Lead|Head|VP|Director|Chief/.test(title)) return 'executiveSponsor'
  return /Account/.test(title) ? 'accountManager' : 'csm'
}

/** The position of a member in the organization. */
export interface Post {
  readonly title: string
  /** The number of the manager in the organization. */
  readonly manager: number
}

const csm = (manager: number): Post => ({ title: 'Customer Success Manager', manager })
const accountManager = (manager: number): Post => ({ title: 'Account Manager', manager })
const specialist = (manager: number): Post => ({ title: 'Implementation Specialist', manager })
const successLead = (manager: number): Post => ({ title: 'Customer Success Team Lead', manager })
const accountLead = (manager: number): Post => ({ title: 'Account Management Team Lead', manager })

interface Tree {
  readonly posts: readonly Post[]
  readonly head: number
  /** The posts that follow, again and again. */
  readonly growth: readonly Post[]
}

const departments: Tree = {
  head: 6,
  posts: [
    csm(4),
    csm(4),
    accountManager(5),
    successLead(6),
    accountLead(6),
    { title: 'VP Customer Success', manager: 6 },
    { title: 'Revenue Operations Analyst', manager: 6 },
    { title: 'Implementation Lead', manager: 6 },
    csm(4),
    accountManager(5),
    specialist(8),
    csm(4),
    accountManager(5),
    successLead(6),
    csm(14),
    specialist(8),
    csm(14),
    accountManager(5),
    csm(4),
    accountLead(6),
  ],
  growth: [accountManager(20), csm(14), specialist(8), csm(4), accountManager(5), csm(14)],
}

const oneHead: Tree = {
  head: 2,
  posts: [csm(2), { title: 'Head of Customer Success', manager: 2 }, accountLead(2), successLead(2)],
  growth: [accountManager(3), csm(4), specialist(2), csm(4), accountManager(3)],
}

const team = (count: number, post: Post): Post[] => Array.from({ length: count }, () => post)

/** The posts of each division after the first. Managers are counted in the division; 0 is the organization's head. */
const division: readonly Post[] = [
  { title: 'Director of Customer Success', manager: 0 },
  successLead(1),
  ...team(9, csm(2)),
  accountLead(1),
  ...team(7, accountManager(12)),
  { title: 'Implementation Lead', manager: 1 },
  ...team(4, specialist(20)),
  successLead(1),
  ...team(9, csm(25)),
  accountLead(1),
  ...team(8, accountManager(35)),
  ...team(4, specialist(20)),
  successLead(1),
  ...team(12, csm(48)),
]

/** Finds the post of a member by its number in the organization. Errors: RangeError for a number below 1. */
export function findPost(ordinal: number, position: number): Post {
  const { posts, growth, head } = ordinal === 0 ? departments : oneHead
  const place = (position - 1) % DIVISION
  const later = position > DIVISION ? division[place] : undefined
  if (later) return { ...later, manager: later.manager === 0 ? head : position - place - 1 + later.manager }
  const post = posts[position - 1] ?? growth[(position - posts.length - 1) % growth.length]
  if (!post) throw new RangeError(`Cannot find the post of member ${position}: members are counted from 1.`)
  return post
}
