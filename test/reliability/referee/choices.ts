import type { Filter } from './tables.ts'

export const shardings: readonly [readonly Filter[], ...(readonly Filter[])[]] = [
  [{}],
  [{}],
  [{}],
  ['SMB', 'Enterprise', 'Startup', 'Mid-Market'].map((segment) => ({ segment })),
  ['SMB', 'Enterprise', 'Startup'].map((segment) => ({ segment })),
  ['Germany', 'United Kingdom', 'United States', 'Canada', 'Brazil'].map((country) => ({ country })),
  ['England', 'Scotland', 'Saxony', 'Illinois'].map((region) => ({ region })),
  ['Bergen', 'Lisbon', 'London'].map((city) => ({ city })),
  ['1', '2', '3'].map((memberId) => ({ memberId })),
]
export const wideShardings: typeof shardings = [
  [{}, {}],
  [{ scope: 'mine' }],
  [{ scope: 'team' }],
  [{ scope: 'all' }, { scope: 'mine' }],
  [{ scope: 'team' }, {}],
]
export const statuses = ['open', 'inProgress', 'closed', 'dismissed'].map((status) => ({ status }))

/** Mistakes that a client may make, each at random. */
export const mistakes = [
  'drops rows',
  'keeps old rows',
  'never deletes',
  'skips a page',
  'ends after a page',
  'loses its filter',
  'forgets to go on',
  'turns texts into numbers',
  'advances after a failure',
  'compares with >',
] as const
export type Mistake = (typeof mistakes)[number]
