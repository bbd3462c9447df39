import type { MiddlewareHandler } from 'hono'

import { findUnknownNames } from '../contract/query.ts'
import { invalidRequest } from '../core/errors.ts'
import { didYouMean } from '../core/nearest.ts'
import { ResponseBody, type ResponseParts } from '../core/response.ts'
import type { BoundOperation, Contract } from '../service/contract.ts'
import type { Endpoint } from '../service/endpoint.ts'
import type { Dataset } from '../store/dataset.ts'
import type { TableName } from '../store/tables.ts'
import { serviceBody } from './read-json.ts'
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

interface Cached {
  parts: ResponseParts & { readonly body: ResponseBody }
  dated?: ResponseParts
  readonly reads: readonly TableName[]
  /** The session's time that the response depends on; undefined if it depends on none. */
  readonly at: string | undefined
  readonly dataset: Dataset
  /** Units: bytes. */
  size: number
}

/** Units: bytes. */
const MAX_SIZE = 24 * 1_048_576
/** The memory that an entry takes besides its key and its body's parts. Units: bytes, estimated. */
const OVERHEAD = 1_000
const PART = 8
const MAX_REQUESTED = 1_000

const isMadeFrom = ({ dataset, reads }: Cached, other: Dataset): boolean =>
  dataset === other || reads.every((name) => dataset.tables[name] === other.tables[name])

class ResponseCache {
  #dataset: Dataset | undefined
  readonly #cached = new Map<string, Cached>()
  #size = 0
  readonly #requested = new Set<string>()

  find(dataset: Dataset, key: string): Cached | undefined {
    const cached = this.#cached.get(key)
    if (!cached || !isMadeFrom(cached, dataset)) return undefined
    if (this.#size > MAX_SIZE / 2) {
      this.#cached.delete(key)
      this.#cached.set(key, cached)
    }
    if (cached.parts.body.parts.length > 1) this.#join(cached)
    return cached
  }

  store(dataset: Dataset, key: string, response: Omit<Cached, 'size' | 'dataset'>): void {
    if (this.#dataset !== dataset) {
      this.#dataset = dataset
      // A response holds as long as the tables that it depends on.
      for (const [other, cached] of this.#cached) if (!isMadeFrom(cached, dataset)) this.#evict(other)
    }
    if (!this.#requested.delete(key)) {
      if (this.#requested.size >= MAX_REQUESTED) this.#requested.clear()
      this.#requested.add(key)
      return
    }
    this.#evict(key)
    const size = OVERHEAD + 2 * key.length + PART * response.parts.body.parts.length
    this.#cached.set(key, { ...response, dataset, size })
    this.#size += size
    this.#makeRoom()
  }

  #join(cached: Cached): void {
    const { body } = cached.parts
    if (body.length > MAX_SIZE / 8) return
    cached.parts = { ...cached.parts, body: ResponseBody.of(body.bytes) }
    delete cached.dated
    cached.size += body.length
    this.#size += body.length
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const key of this.#cached.keys()) {
      if (this.#size <= MAX_SIZE) return
      this.#evict(key)
    }
  }

  #evict(key: string): void {
    this.#size -= this.#cached.get(key)?.size ?? 0
    this.#cached.delete(key)
  }
}
