import { type Context, Hono } from 'hono'

import type { Environment } from '../../http/environment.ts'
import { answer, controlHeaders, jsonOf } from '../exchange.ts'
import type { Faults } from './faults.ts'
import { parsedFaults } from './input.ts'
import { profiles } from './profiles.ts'

/** What steers the faults of a session. */
export interface FaultOwner {
  readonly faults: Faults
}

/** Faults: listed, added one by one or all of a list, taken away; and the profiles that there are. */
export function faultRoutes(session: (context: Context<Environment>) => FaultOwner): Hono<Environment> {
  const app = new Hono<Environment>()
  app.get('/_sandbox/faults', (context) => answer(page(session(context).faults.list())))
  app.post('/_sandbox/faults', async (context) => {
    const input = await jsonOf(context)
    const added = session(context).faults.append(parsedFaults(input))
    return answer(Array.isArray(input) ? added : added[0])
  })
  app.delete('/_sandbox/faults', (context) => {
    session(context).faults.clear()
    return gone()
  })
  app.get('/_sandbox/faults/profiles', () => answer(page(listedProfiles())))
  app.get('/_sandbox/faults/:id', (context) => answer(session(context).faults.get(context.req.param('id'))))
  app.delete('/_sandbox/faults/:id', (context) => {
    session(context).faults.remove(context.req.param('id'))
    return gone()
  })
  return app
}

function listedProfiles(): object[] {
  return Object.entries(profiles).map(([name, profile]) => ({ name, ...profile }))
}

const page = <T>(items: readonly T[]) => ({ items, totalCount: items.length })

const gone = (): Response => new Response(null, { status: 204, headers: controlHeaders })
