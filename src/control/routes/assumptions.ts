import { Hono } from 'hono'
import * as z from 'zod'

import { type AssumptionId, assumptions } from '../../contract/assumptions.ts'
import type { Settings } from '../../contract/choices.ts'
import { PartialSettings } from '../../contract/settings.ts'
import { AssumptionReport, reportAssumptions, NamedAssumption } from '../../explain/report.ts'
import { documentRoute } from '../document-route.ts'
import type { ControlEnv } from '../env.ts'
import { requireSession } from '../middleware.ts'
import { validate } from '../validate.ts'

export const ListedAssumption = NamedAssumption.extend({
  decision: z.string(),
  because: z.string(),
  /** Plausible values. Order: the default first. */
  options: z.array(z.unknown()),
  /** The meaning of each option. Order: as the options. */
  meanings: z.array(z.string()),
  /** The current value; null if it cannot be set. */
  value: z.unknown(),
}).meta({ id: 'ListedAssumption' })
export type ListedAssumption = z.infer<typeof ListedAssumption>

export const assumptionRoutes = new Hono<ControlEnv>()
  .get(
    '/',
    documentRoute(
      'listAssumptions',
      "List every assumption, or report those that the session's responses depend on",
      z.union([z.array(ListedAssumption), AssumptionReport]),
    ),
    validate('query', z.strictObject({ used: z.enum(['true', 'false']).default('false') })),
    (c) => {
      const { session } = c.var
      const isReport = c.req.valid('query').used === 'true'
      return isReport
        ? c.json(reportAssumptions(session))
        : c.json(listAssumptions(session.contract.settings))
    },
  )
  .patch(
    '/',
    documentRoute('setAssumptions', 'Override some assumptions in the session', z.array(ListedAssumption)),
    validate('json', PartialSettings),
    (c) => {
      const session = requireSession(c)
      session.assume(c.req.valid('json'))
      return c.json(listAssumptions(session.contract.settings))
    },
  )

/** Lists every assumption under some settings. Order: by id. */
function listAssumptions(settings: Settings): ListedAssumption[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  return (Object.keys(assumptions) as AssumptionId[]).map((id) => {
    const assumption = assumptions[id]
    const { subject, decision, because } = assumption
    const choice = 'choice' in assumption ? assumption.choice : undefined
    return {
      id,
      subject,
      decision,
      because,
      name: choice?.name ?? null,
      options: choice?.alternatives.map(({ value }) => value) ?? [],
      meanings: choice?.alternatives.map(({ meaning }) => meaning) ?? [],
      value: choice ? settings[choice.name] : null,
    }
  })
}
