import type { MiddlewareHandler } from 'hono'

import { findUnknownNames } from '../contract/query.ts'
import { invalidRequest } from '../core/errors.ts'
import { didYouMean } from '../core/nearest.ts'
import type { BoundOperation, Contract } from '../service/contract.ts'
import type { Endpoint } from '../service/endpoint.ts'
import { serviceBody } from './read-json.ts'
import { ResponseCache } from './response-cache.ts'
import { createSerialiser, serialiseAnew, type Serialiser } from './serialise.ts'
import { places, validate, type ValidatedPart } from './validate.ts'

type ServicePart = Exclude<ValidatedPart, 'header'>

export interface ContractState {
  readonly contract: Contract
  readonly serialise: Serialiser
  readonly responses: ResponseCache | undefined
  readonly validator: (endpoint: Endpoint, part: ServicePart) => MiddlewareHandler
}

/**
 * Records and responses are kept for the next request under the sandbox's own contract only: those of sessions with
 * assumption values of their own would be as many copies of the dataset.
 */
export function createContractState(contract: Contract, isShared: boolean): ContractState {
  const validators = new Map<string, MiddlewareHandler>()
  return {
    contract,
    serialise: isShared ? createSerialiser() : serialiseAnew,
    responses: isShared ? new ResponseCache() : undefined,
    validator: (endpoint, part) => {
      const key = `${endpoint.id} ${part}`
      const validator = validators.get(key) ?? createValidator(contract.bind(endpoint), part, contract)
      validators.set(key, validator)
      return validator
    },
  }
}

function createValidator(
  { schemas, query }: BoundOperation,
  part: ServicePart,
  { settings }: Contract,
): MiddlewareHandler {
  const validator = validate(part, schemas[places[part]], serviceBody)
  if (part !== 'query' || settings.unknownParameters !== 'refused') return validator
  const known = Object.keys(query.parameters)
  return (c, next) =>
    validator(c, async () => {
      const names = findUnknownNames(query, Object.keys(c.req.queries()))
      if (names.length === 0) return next()
      throw invalidRequest(
        names.map((name) => ({ in: 'query', name, message: `is not known. ${didYouMean(name, known)}` })),
      )
    })
}
