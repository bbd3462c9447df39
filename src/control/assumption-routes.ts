import { Hono } from 'hono'
import * as z from 'zod'

import { type AssumptionId, assumptions } from '../contract/assumptions.ts'
import type { Choice } from '../contract/choice.ts'
import { choices, type Settings } from '../contract/choices.ts'
import { choiceNames, parsedSettings } from '../contract/settings.ts'
import type { Environment } from '../http/environment.ts'
import { answer, changedSession, jsonOf } from './exchange.ts'
import { assumptionReport } from './journal/assumptions-report.ts'
import { validator } from './validator.ts'

/** One gap of the document, and how a session fills it. */
export interface ListedAssumption {
  readonly id: AssumptionId
  readonly subject: string
  readonly decision: string
  readonly because: string
  /** Under which name it is set; null where it cannot be. */
  readonly name: string | null
  /** Plausible values. Order: the default first. */
  readonly options: readonly unknown[]
  /** What each of them means. Order: as the options. */
  readonly meanings: readonly string[]
  /** How it is decided; null where it cannot be set. */
  readonly value: unknown
}

/** With `used=true`: what the session's requests rest on, instead of what there is. */
const ListParameters = z.strictObject({ used: z.enum(['true', 'false']).default('false') })

/** What the document leaves open: listed, and decided otherwise. Errors: 400 that names each wrong one, with the nearest. */
export function assumptionRoutes(): Hono<Environment> {
  const app = new Hono<Environment>()
  app.get('/_sandbox/assumptions', validator('query', ListParameters), (context) => {
    const session = context.get('session')
    const isReport = context.req.valid('query').used === 'true'
    return answer(isReport ? assumptionReport(session) : listedAssumptions(session.contract.settings))
  })
  app.patch('/_sandbox/assumptions', async (context) => {
    const settings = parsedSettings(await jsonOf(context))
    const session = changedSession(context)
    session.assume(settings)
    return answer(listedAssumptions(session.contract.settings))
  })
  return app
}

/** Every assumption under some settings. Order: by id. */
function listedAssumptions(settings: Settings): ListedAssumption[] {
  const byId = new Map<AssumptionId, { readonly name: keyof Settings; readonly choice: Choice }>(
    choiceNames.map((name) => [choices[name].assumption, { name, choice: choices[name] }]),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  return (Object.keys(assumptions) as AssumptionId[]).map((id) => {
    const { subject, decision, because } = assumptions[id]
    const set = byId.get(id)
    return {
      id,
      subject,
      decision,
      because,
      name: set?.name ?? null,
      options: set?.choice.alternatives.map((option) => option.value) ?? [],
      meanings: set?.choice.alternatives.map(({ meaning }) => meaning) ?? [],
      value: set ? settings[set.name] : null,
    }
  })
}
