import { Hono } from 'hono'

import { validate } from '../../http/validate.ts'
import { ListedScenario, listScenarios, Scenario, ScenarioInput } from '../../testing/scenarios/scenario.ts'
import { type ControlEnv, documentRoute, envelope, IdPath, requireSession, toEnvelope } from '../route.ts'

export const scenarioRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('listScenarios', 'List the active scenarios', envelope(Scenario)), (c) =>
    c.json(toEnvelope(c.var.session.scenarios.list())),
  )
  .post(
    '/',
    documentRoute('addScenario', 'Add a scenario', Scenario, [201]),
    validate('json', ScenarioInput),
    (c) => c.json(requireSession(c).scenarios.append(c.req.valid('json')), 201),
  )
  .delete('/', documentRoute('clearScenarios', 'Remove every scenario'), (c) => {
    c.var.session.scenarios.clear()
    return c.body(null, 204)
  })
  .get(
    '/definitions',
    documentRoute(
      'listScenarioDefinitions',
      'List the scenarios that can be added',
      envelope(ListedScenario),
    ),
    (c) => c.json(toEnvelope(listScenarios())),
  )
  .delete('/:id', documentRoute('removeScenario', 'Remove a scenario'), validate('param', IdPath), (c) => {
    c.var.session.scenarios.remove(c.req.valid('param').id)
    return c.body(null, 204)
  })
