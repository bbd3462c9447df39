import { Hono } from 'hono'
import * as z from 'zod'

import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { validate } from '../../http/validate.ts'
import { Fault, FaultsInput } from '../../testing/faults/fault.ts'
import { GateFilter, HeldRequest, Release } from '../../testing/faults/gates.ts'
import { FaultProfile, ProfileName, profiles } from '../../testing/faults/profiles.ts'
import { type ControlEnv, documentRoute, envelope, IdPath, requireSession, toEnvelope } from '../route.ts'

const Place = lazyStrictObject(() => ({
  first: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Adds before the other faults; the first that matches a request wins'),
}))
const ListedProfile = FaultProfile.extend({ name: ProfileName })

export const faultRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('listFaults', 'List the faults', envelope(Fault)), (c) =>
    c.json(toEnvelope(c.var.session.faults.list())),
  )
  .post(
    '/',
    documentRoute('addFaults', 'Add a fault, or all faults of a list', z.union([Fault, z.array(Fault)])),
    validate('query', Place),
    validate('json', FaultsInput),
    (c) => {
      const input = c.req.valid('json')
      const place = c.req.valid('query').first === 'true' ? 'first' : 'last'
      const added = requireSession(c).faults.append(Array.isArray(input) ? input : [input], place)
      return c.json(Array.isArray(input) ? added : added[0])
    },
  )
  .delete('/', documentRoute('clearFaults', 'Remove every fault'), (c) => {
    c.var.session.faults.clear()
    return c.body(null, 204)
  })
  .get(
    '/profiles',
    documentRoute('listFaultProfiles', 'List the fault profiles', envelope(ListedProfile)),
    (c) => c.json(toEnvelope(ProfileName.options.map((name) => ({ name, ...profiles[name] })))),
  )
  .get('/:id', documentRoute('getFault', 'Read a fault', Fault), validate('param', IdPath), (c) =>
    c.json(c.var.session.faults.get(c.req.valid('param').id)),
  )
  .delete('/:id', documentRoute('removeFault', 'Remove a fault'), validate('param', IdPath), (c) => {
    c.var.session.faults.remove(c.req.valid('param').id)
    return c.body(null, 204)
  })

export const gateRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('listGates', 'List the requests that gates hold', envelope(HeldRequest)), (c) =>
    c.json(toEnvelope(c.var.session.faults.gates.list())),
  )
  .post(
    '/next',
    documentRoute('awaitGate', 'Wait until a gate holds a request', HeldRequest),
    validate('json', GateFilter),
    async (c) => {
      const { sandbox } = c.env
      const { session } = c.var
      const { signal } = c.req.raw
      return c.json(
        await session.faults.gates.next(c.req.valid('json'), () => sandbox.waits.begin(Infinity, signal)),
      )
    },
  )
  .post(
    '/release',
    documentRoute('releaseGates', 'Release every held request', envelope(HeldRequest)),
    validate('json', Release),
    (c) => c.json(toEnvelope(c.var.session.faults.gates.releaseAll(c.req.valid('json')))),
  )
  .post(
    '/:id/release',
    documentRoute('releaseGate', 'Release a held request', HeldRequest),
    validate('param', IdPath),
    validate('json', Release),
    (c) => c.json(c.var.session.faults.gates.release(c.req.valid('param').id, c.req.valid('json'))),
  )
