import { pathNames } from '../contract/operation.ts'
import type { Lookup } from '../store/recording.ts'
import type { Row } from '../store/tables.ts'
import type { ExplainedCondition } from './explain-shape.ts'
import type { Trace } from './explain-trace.ts'
import { called, capital, fieldsOf, personOf, singular } from './explain-words.ts'

/** Who asks, what for, and whether the path leads there; it ends with the first that does not hold. Order: the service's. */
export function addressConditions(trace: Trace): ExplainedCondition[] {
  const { caller, route, error } = trace
  const why = error?.message ?? ''
  if (!caller) return [{ name: 'token', holds: false, text: why }]
  const { id, organizationId } = caller
  const token = {
    name: 'token',
    holds: true,
    text: `The token is that of ${personOf(caller)}, of ${organizationId}.`,
    found: { id, organizationId },
  }
  if (!route) return [token, { name: 'operation', holds: false, text: why }]
  const operation = {
    name: 'operation',
    holds: true,
    text: `This is ${route.endpoint.id}.`,
    found: route.endpoint.id,
  }
  const found = [token, operation, ...organizationCondition(trace, caller)]
  if (found.some(({ holds }) => !holds)) return found
  found.push(...trace.lookups.map((lookup) => lookupCondition(lookup, trace, caller)))
  return found.some(({ holds }) => !holds) ? found : [...found, ...refusalConditions(trace)]
}

function organizationCondition({ route, error }: Trace, caller: Row<'members'>): ExplainedCondition[] {
  const asked = route?.parameters['organizationId']
  if (asked === undefined) return []
  const holds = asked === caller.organizationId
  const text = holds ? "The path's organization is the caller's." : (error?.message ?? '')
  return [{ name: 'organization', holds, text, asked, found: caller.organizationId }]
}

/** Says whether a record that the path names is there for the caller. */
function lookupCondition(
  { table, id, row }: Lookup,
  { route }: Trace,
  { organizationId }: Row<'members'>,
): ExplainedCondition {
  const name = `${singular(table)}Id`
  const record = capital(called(table, id))
  if (!row) return { name, holds: false, text: `There is no ${called(table, id)}.`, asked: id, found: null }
  const found = { id, organizationId: row.organizationId }
  if (row.organizationId !== organizationId) {
    const text = `${record} is of ${row.organizationId}, the caller of ${organizationId}.`
    return { name, holds: false, text, asked: id, found }
  }
  const fields = fieldsOf(row)
  const owner = Object.keys(route?.parameters ?? {}).find(
    (key) => key !== 'organizationId' && key in fields && fields[key] !== Number(route?.parameters[key]),
  )
  if (owner === undefined) {
    return {
      name,
      holds: true,
      text: `${record} is there, and of the caller's organization.`,
      asked: id,
      found,
    }
  }
  const text = `${record} is of another ${owner.replace(/Id$/, '')} than the path names: ${String(fields[owner])}.`
  return { name, holds: false, text, asked: id, found: { ...found, [owner]: fields[owner] } }
}

/** What else is wrong with the request. */
function refusalConditions({ error, route, lookups }: Trace): ExplainedCondition[] {
  if (!error) return []
  if (error.errors) {
    return error.errors.map(({ in: place, name, message }) => {
      return { name, holds: false, text: `${capital(place)} ${name} ${message}.` }
    })
  }
  const name = pathNames(route?.endpoint.path ?? '').at(-1) ?? 'record'
  const asked = route?.parameters[name]
  const last = lookups.at(-1)
  const part = name.replace(/Id$/, '')
  const text = last ? `${capital(called(last.table, last.id))} has no ${part} ${asked}.` : error.message
  return [{ name, holds: false, text, asked: Number(asked) }]
}
