import { Hono } from 'hono'
import * as z from 'zod'

import { assumptionIds, assumptions } from '../../contract/assumptions.ts'
import { choiceNames, choices, findChoiceName, type Settings } from '../../contract/choices.ts'
import { PartialSettings } from '../../contract/settings.ts'
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
    const { subject, decision, because } = assumptions[id]
    const name = findChoiceName(id)
    const alternatives = name === null ? [] : choices[name].alternatives
    return {
      id,
      subject,
      decision,
      because,
      name,
      options: alternatives.map(({ value }) => value),
      meanings: alternatives.map(({ meaning }) => meaning),
      value: name && settings[name],
    }
  })
}
