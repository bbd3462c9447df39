import * as z from 'zod'

import { lazyObject } from '../core/lazy-schema.ts'
import { createToken } from '../service/tokens.ts'
import type { Dataset } from '../store/dataset.ts'
import type { Session } from './session.ts'

/** Every member with a token. Order: as in the dataset; the first member is the default caller. */
export const Credentials = lazyObject(() => ({
  organizations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      members: z.array(z.object({ id: z.int(), name: z.string(), role: z.string(), token: z.string() })),
    }),
  ),
  invalidTokens: z.array(z.string()),
}))
export type Credentials = z.infer<typeof Credentials>

/** Lists who can call, in a session of the sandbox with this dataset. */
export function listCredentials(dataset: Dataset, { data }: Session): Credentials {
  return {
    organizations: dataset.organizations.map(({ id, name }) => ({
      id,
      name,
      members: data
        .select('members', [['organizationId', id]])
        .page()
        .map((member) => ({
          id: member.id,
          name: `${member.firstName} ${member.lastName}`,
          role: member.title,
          token: createToken(member),
        })),
    })),
    invalidTokens: ['sbx_invalid', 'sbx_expired', 'sbx_revoked'],
  }
}
