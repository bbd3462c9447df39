import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'

import { type QueryContract, findUnknownNames } from '../contract/query.ts'
import { invalidRequest } from '../core/errors.ts'
import { toFieldErrors, validationErrors } from '../core/issues.ts'
import { didYouMean } from '../core/nearest.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import type { ContractState, Env, ValidatedPart } from './env.ts'
import { ResponseCache } from './response-cache.ts'
import { createSerialiser, serialiseAnew } from './serialise.ts'

/**
 * Makes the state of each contract on first use.
 * @param shared the only contract whose records and responses are kept for the next request: those of sessions with
 * assumption values of their own would be as many copies of the dataset
 */
export function createContractStates(shared: Contract): (contract: Contract) => ContractState {
  const states = new WeakMap<Contract, ContractState>()
  return (contract) => {
    let state = states.get(contract)
    if (!state) states.set(contract, (state = createState(contract, contract === shared)))
    return state
  }
}

function createState(contract: Contract, isShared: boolean): ContractState {
  const validators = new Map<string, MiddlewareHandler<Env>>()
  return {
    contract,
    serialise: isShared ? createSerialiser() : serialiseAnew,
    responses: isShared ? new ResponseCache() : undefined,
    validator: (endpoint, part) => {
      const key = `${endpoint.id} ${part}`
      let validator = validators.get(key)
      if (!validator)
        validators.set(key, (validator = createValidator(contract.bind(endpoint), part, contract)))
      return validator
    },
  }
}

const places = { param: 'path', query: 'query', json: 'body' } as const

function createValidator(
  { schemas, query }: BoundOperation,
  part: ValidatedPart,
  { settings }: Contract,
): MiddlewareHandler<Env> {
  const place = places[part]
  const schema = schemas[place]
  return zValidator(
    part,
    schema,
    (result, c) => {
      if (!result.success) {
        const { issues } = result.error
        throw invalidRequest(
          place === 'body' ? validationErrors(place, schema, issues) : toFieldErrors(place, issues),
        )
      }
      if (place === 'query' && settings.unknownParameters === 'refused') {
        rejectUnknown(query, Object.keys(c.req.queries()))
      }
    },
    { validationFunction: (given, value) => given.safeParse(value, { reportInput: place === 'query' }) },
  )
}

/** Source: assumption A-15. */
function rejectUnknown(query: QueryContract, given: readonly string[]): void {
  const names = findUnknownNames(query, given)
  const known = Object.keys(query.parameters)
  if (names.length === 0) return
  throw invalidRequest(
    names.map((name) => ({ in: 'query', name, message: `is not known. ${didYouMean(name, known)}` })),
  )
}
