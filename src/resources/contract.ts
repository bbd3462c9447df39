import type * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import type { Operation, ReturnKind } from '../contract/operation.ts'
import type { QueryContract } from '../contract/query.ts'
import { defaultSettings, withSettings } from '../contract/settings.ts'
import { type Variant, variantsUnder } from '../contract/variation.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'

/** An endpoint as the settings make it, and how values come from its form to the handlers' and back. */
export interface BoundOperation extends Operation {
  readonly endpoint: Endpoint
  /** A record in the form of its own shape. */
  readonly encode: (record: unknown) => unknown
  readonly decodeQuery: (query: unknown) => unknown
  readonly decodeBody: (body: unknown) => unknown
}

/** All operations as some settings make them. */
export interface Contract {
  readonly settings: Settings
  /** Order: as `endpoints`. */
  readonly operations: readonly BoundOperation[]
  /** An endpoint as it is here; made when first asked for. */
  of(endpoint: Endpoint): BoundOperation
  /** The form of a schema here. */
  readonly variantOf: (schema: z.ZodType) => Variant
}

/**
 * How many contracts are kept that differ from the default one: each takes some hundred kilobytes. Those that were not
 * used for the longest are made again when they are needed.
 */
const KEPT = 20

const contracts = new Map<string, Contract>()
const keys = new WeakMap<Settings, string>()

/** Equal for settings that decide everything alike. */
export function settingsKey(settings: Settings): string {
  const known = keys.get(settings)
  if (known !== undefined) return known
  const key = JSON.stringify(withSettings(defaultSettings, settings))
  keys.set(settings, key)
  return key
}

/**
 * The contract under some settings: the same object for equal settings, as long as it is kept. Keep the settings and
 * call this again rather than keep the contract.
 */
export function contractUnder(settings: Settings): Contract {
  const key = settingsKey(settings)
  const contract = contracts.get(key) ?? createContract(settings)
  contracts.delete(key)
  contracts.set(key, contract)
  for (const oldest of contracts.keys()) {
    if (contracts.size <= KEPT) break
    if (contracts.get(oldest) !== defaultContract) contracts.delete(oldest)
  }
  return contract
}

function createContract(settings: Settings): Contract {
  const variantOf = variantsUnder(settings)
  const bound = new Map<Endpoint, BoundOperation>()
  const of = (endpoint: Endpoint): BoundOperation => {
    const operation = bound.get(endpoint) ?? boundTo(endpoint, settings, variantOf)
    bound.set(endpoint, operation)
    return operation
  }
  return {
    settings,
    get operations() {
      return endpoints.map(of)
    },
    of,
    variantOf,
  }
}

/** The contract where nobody sets anything. */
export const defaultContract: Contract = createContract(defaultSettings)
contracts.set(JSON.stringify(defaultSettings), defaultContract)

function boundTo(
  endpoint: Endpoint,
  settings: Settings,
  variantOf: (schema: z.ZodType) => Variant,
): BoundOperation {
  const { shape, body, query } = endpoint
  const bodyVariant = body && variantOf(body)
  const parameters = Object.entries(query.parameters).map(([name, schema]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every parameter is a schema
    return [name, variantOf(schema as z.ZodType)] as const
  })
  const decoders = new Map(parameters.map(([name, { decode }]) => [name, decode]))
  return {
    ...endpoint,
    endpoint,
    shape: variantOf(shape).schema,
    encode: variantOf(shape).encode,
    body: bodyVariant?.schema,
    decodeBody: bodyVariant?.decode ?? ((value) => value),
    query: queryUnder(settings, {
      ...query,
      parameters: Object.fromEntries(parameters.map(([name, { schema }]) => [name, schema])),
    }),
    decodeQuery: (value) => decodedQuery(value, decoders),
    returns: returnsUnder(settings, endpoint),
    status: endpoint.method === 'POST' ? settings.createStatus : 200,
  }
}

function queryUnder({ arrayEncoding }: Settings, query: QueryContract): QueryContract {
  return arrayEncoding === 'comma' ? { ...query, separator: ',' } : query
}

function decodedQuery(value: unknown, decoders: ReadonlyMap<string, (value: unknown) => unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, decoders.get(name)?.(part) ?? part]),
  )
}

/** Source: assumptions, for lists whose outer form the document does not show. */
function returnsUnder({ pages, envelopes }: Settings, { id, returns, assumes }: Endpoint): ReturnKind {
  if (assumes === undefined) return returns
  if (returns === 'page') return pages === 'array' ? 'slice' : 'page'
  return returns === 'list' && envelopes[id] === true ? 'envelope' : returns
}
