import { Hono } from 'hono'
import * as z from 'zod'

import { assumptionIds, assumptions } from '../../contract/assumptions.ts'
import type { Verdicts } from '../../contract/calibration.ts'
import type { Settings } from '../../contract/choices.ts'
import { PartialSettings } from '../../contract/settings.ts'
import {
  AssumptionReport,
  findEvidence,
  NamedAssumption,
  reportAssumptions,
  UsedAssumption,
} from '../../explain/report.ts'
import { validate } from '../../http/validate.ts'
import { type ControlEnv, documentRoute, requireSession } from '../route.ts'

export const ListedAssumption = NamedAssumption.extend({
  decision: z.string(),
  because: z.string(),
  /** Plausible values. Order: the default first. */
  options: z.array(z.unknown()),
  /** The meaning of each option. Order: as the options. */
  meanings: z.array(z.string()),
  value: z.unknown(),
  /** The number of answers and records of a real tenant that show the value; absent if none was observed. */
  evidence: UsedAssumption.shape.evidence,
  /** The JSON Schemas that replace the fields of its records, by name; absent without one. */
  shapes: z.record(z.string(), z.unknown()).optional(),
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
      const { session, sandbox } = c.var
      if (c.req.valid('query').used === 'true') return c.json(reportAssumptions(session, sandbox.verdicts))
      return c.json(listAssumptions(session.contract.settings, sandbox.verdicts))
    },
  )
  .patch(
    '/',
    documentRoute('setAssumptions', 'Override some assumptions in the session', z.array(ListedAssumption)),
    validate('json', PartialSettings),
    (c) => {
      const session = requireSession(c)
      session.assume(c.req.valid('json'))
      return c.json(listAssumptions(session.contract.settings, c.var.sandbox.verdicts))
    },
  )

function listAssumptions(settings: Settings, verdicts: Verdicts): ListedAssumption[] {
  return assumptionIds.map((id) => {
    const assumption = assumptions[id]
    const { subject, decision, because } = assumption
    const choice = 'choice' in assumption ? assumption.choice : undefined
    const name = choice?.name ?? null
    const current = choice ? settings[choice.name] : null
    const evidence = findEvidence({ id, name, value: current }, verdicts, settings.shapes)
    const shapes = settings.shapes?.list(id)
    return {
      id,
      subject,
      decision,
      because,
      name,
      options: choice?.alternatives.map(({ value }) => value) ?? [],
      meanings: choice?.alternatives.map(({ meaning }) => meaning) ?? [],
      value: current,
      ...(evidence && { evidence }),
      ...(shapes && { shapes }),
    }
  })
}
