import type { Context } from 'hono'

import type { Session } from '../sessions/session.ts'
import type { Env } from './env.ts'

/**
 * Generates the rows that a request reads, in slices between which others run, as long as not all rows are there.
 * Returns no promise if there is nothing to wait for.
 */
export function prepareRows(c: Context<Env>, { data }: Session): Promise<void> | undefined {
  const endpoint = c.get('endpoint')
  if (!endpoint) return undefined
  const table = data.dataset.tables[endpoint.resource.table]
  if (table.isWhole) return undefined
  const place = `/v1${endpoint.path}`.split('/').indexOf('{customerId}')
  if (place > 0) return table.prepare(Number(c.req.path.split('/')[place]))
  // The scopes other than `all` have few customers.
  const { scope = 'all' } = c.req.query()
  return endpoint.returns === 'one' || scope !== 'all' ? undefined : table.prepare()
}
