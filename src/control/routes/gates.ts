import { Hono } from 'hono'
import * as z from 'zod'

import { lazyObject } from '../../core/lazy-schema.ts'
import { GateFilter, HeldRequest, Release } from '../../faults/gates.ts'
import { validate } from '../../http/validate.ts'
import { type ControlEnv, documentRoute, envelope, toEnvelope } from '../route.ts'

const Id = lazyObject(() => ({ id: z.string() }))

export const gateRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('listGates', 'List the requests that gates hold', envelope(HeldRequest)), (c) =>
    c.json(toEnvelope(c.var.session.faults.gates.list())),
  )
  .post(
    '/next',
    documentRoute('awaitGate', 'Wait until a gate holds a request', HeldRequest),
    validate('json', GateFilter),
    async (c) => {
      const { sandbox, session } = c.var
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
    validate('param', Id),
    validate('json', Release),
    (c) => c.json(c.var.session.faults.gates.release(c.req.valid('param').id, c.req.valid('json'))),
  )
