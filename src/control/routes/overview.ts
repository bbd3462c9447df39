import { Hono } from 'hono'
import * as z from 'zod'

import { listDifferences } from '../../contract/settings.ts'
import { summarize, Summary } from '../../sessions/summary.ts'
import { type ControlEnv, documentRoute } from '../route.ts'

export const Overview = Summary.extend({
  session: z.string().describe('The id of the session; `default` for the default session'),
  name: z.string().optional().describe('The name of the session'),
  revision: z.int().describe('Grows with each change to the session'),
  movedMs: z.int().describe('How far the clock was moved, in milliseconds; 0 if it was not'),
  changes: z.int().describe('How many records the session has changed'),
  faults: z.int().describe('How many faults still act'),
  scenarios: z.int().describe('How many scenarios are active'),
  requests: z.int().describe('How many requests the journal holds'),
  assumptions: z
    .record(z.string(), z.unknown())
    .describe('The assumptions that the session overrides, with the values of the server'),
})
export type Overview = z.infer<typeof Overview>

export const overviewRoutes = new Hono<ControlEnv>().get(
  '/',
  documentRoute('getOverview', 'Show what differs in the session from the start', Overview),
  async (c) => {
    const { sandbox } = c.env
    const { session } = c.var
    const { id, name, clock, faults, scenarios, requests, settings } = session
    const { settings: start } = sandbox.contract
    const overview: Overview = {
      ...summarize(sandbox.dataset, session),
      session: id ?? 'default',
      ...(name !== undefined && { name }),
      revision: session.revision,
      movedMs: clock.measureMove(),
      changes: (await (await sandbox.recordWriter(session)).changes()).length,
      faults: faults.list().filter(({ left }) => left !== 0).length,
      scenarios: scenarios.list().length,
      requests: requests.entries().length,
      assumptions: Object.fromEntries(listDifferences(settings, start).map((one) => [one, start[one]])),
    }
    return c.json(overview)
  },
)
