import { Hono } from 'hono'
import * as z from 'zod'

import { assumptionIds, assumptions } from '../../contract/assumptions.ts'
import type { Settings } from '../../contract/choices.ts'
import { choiceNames, PartialSettings } from '../../contract/settings.ts'
import { validate } from '../../http/validate.ts'
import { type ControlEnv, documentRoute, requireSession } from '../route.ts'

export const ListedAssumption = z
  .object({
    id: z.enum(assumptionIds),
    subject: z.string(),
    /** The name to set it by; null if it cannot be set. */
    name: z.enum(choiceNames).nullable(),
    decision: z.string(),
    because: z.string(),
    /** Plausible values. Order: the default first. */
    options: z.array(z.unknown()),
    /** The meaning of each option. Order: as the options. */
    meanings: z.array(z.string()),
    value: z.unknown(),
    /** The JSON Schemas that replace the fields of its records, by name; absent without one. */
    shapes: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ListedAssumption' })
export type ListedAssumption = z.infer<typeof ListedAssumption>

export const assumptionRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('listAssumptions', 'List every assumption', z.array(ListedAssumption)), (c) =>
    c.json(listAssumptions(c.var.session.contract.settings)),
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

function listAssumptions(settings: Settings): ListedAssumption[] {
  return assumptionIds.map((id) => {
    const assumption = assumptions[id]
    const { subject, decision, because } = assumption
    const choice = 'choice' in assumption ? assumption.choice : undefined
    const name = choice?.name ?? null
    const current = choice ? settings[choice.name] : null
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
      ...(shapes && { shapes }),
    }
  })
}
