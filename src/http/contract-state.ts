import type { MiddlewareHandler } from 'hono'

import { type QueryContract, findUnknownNames } from '../contract/query.ts'
import { invalidRequest } from '../core/errors.ts'
import { didYouMean } from '../core/nearest.ts'
import type { BoundOperation, Contract } from '../resources/contract.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { ContractState, Validated } from './env.ts'
import { serviceBody } from './read-json.ts'
import { ResponseCache } from './response-cache.ts'
import { createSerialiser, serialiseAnew } from './serialise.ts'
import { places, validate } from './validate.ts'

/**
 * Makes the state of each contract on first use. Records and responses are kept for the next request under the sandbox's
 * own contract only: those of sessions with assumption values of their own would be as many copies of the dataset.
 */
export function createContractStates(
  sandbox: Pick<SandboxState, 'contract'>,
): (contract: Contract) => ContractState {
  const states = new WeakMap<Contract, ContractState>()
  return (contract) => {
    let state = states.get(contract)
    if (!state) states.set(contract, (state = createState(contract, contract === sandbox.contract)))
    return state
  }
}

function createState(contract: Contract, isShared: boolean): ContractState {
  const validators = new Map<string, MiddlewareHandler>()
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

function createValidator(
  { schemas, query }: BoundOperation,
  part: keyof Validated['out'],
  { settings }: Contract,
): MiddlewareHandler {
  const validator = validate(part, schemas[places[part]], serviceBody)
  if (part !== 'query' || settings.unknownParameters !== 'refused') return validator
  return (c, next) =>
    validator(c, async () => {
      rejectUnknown(query, Object.keys(c.req.queries()))
      await next()
    })
}

/** Source: assumption A-15. */
function rejectUnknown(query: QueryContract, sent: readonly string[]): void {
  const names = findUnknownNames(query, sent)
  const parameters = Object.keys(query.parameters)
  if (names.length === 0) return
  throw invalidRequest(
    names.map((name) => ({ in: 'query', name, message: `is not known. ${didYouMean(name, parameters)}` })),
  )
}
