import type { Row } from '../../src/store/tables.ts'
import type { Workplace } from './calendar.ts'

/** The offices of an organization, which all keep United States Eastern time. */
const offices = [
  { city: 'Boston', country: 'United States', timezone: 'America/New_York' },
  { city: 'Charlotte', country: 'United States', timezone: 'America/New_York' },
] as const satisfies readonly (Workplace & { readonly city: string })[]

/** The place where an organization does business when no member does it in person. */
export const home: Workplace = offices[0]

/** Finds the place where a member works, which decides the hours and holidays of what they write. */
export const findWorkplace = ({ id }: Pick<Row<'members'>, 'id'>): Workplace =>
  offices[id % offices.length] ?? offices[0]
