import type { Row } from '../src/store/tables.ts'

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
  /** The posts that follow, again and again. */
  readonly growth: readonly Post[]
}

const departments: Tree = {
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
  posts: [csm(2), { title: 'Head of Customer Success', manager: 2 }, accountLead(2), successLead(2)],
  growth: [accountManager(3), csm(4), specialist(2), csm(4), accountManager(3)],
}

/** Finds the post of a member by its number in the organization. Errors: RangeError for a number below 1. */
export function findPost(ordinal: number, position: number): Post {
  const { posts, growth } = ordinal === 0 ? departments : oneHead
  const post = posts[position - 1] ?? growth[(position - posts.length - 1) % growth.length]
  if (!post) throw new RangeError(`Cannot find the post of member ${position}: members are counted from 1.`)
  return post
}
