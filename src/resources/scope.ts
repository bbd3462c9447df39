import * as z from 'zod'

import { documented } from '../contract/provenance.ts'

const ScopeInput = documented(z.enum(['all', 'team', 'mine']), 'Signal list parameters', 'A-12').meta({
  id: 'ScopeInput',
})

/** Which customers a list covers. Source: Signal list parameters, `scope`. */
export const scope = (source: string): z.ZodDefault<typeof ScopeInput> =>
  documented(ScopeInput.default('all'), source, 'A-12').describe(
    'all: every visible customer; team: those where members under a shared manager with the caller hold a role; mine: those where the caller holds a role',
  )
