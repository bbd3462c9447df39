import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { type Codec, createCodecs, rebuild } from '../contract/codecs.ts'
import { createPathSchema } from '../contract/paths.ts'
import { createQuerySchema } from '../contract/query.ts'
import { defaultSettings, withSettings } from '../contract/settings.ts'
import { type ProblemCode, problems } from '../core/errors.ts'
import { getOrCreate, RecentMap } from '../core/maps.ts'
import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { Endpoint, ReturnKind } from './endpoint.ts'
import { endpoints } from './index.ts'
import { createPresented } from './present.ts'

/** An endpoint under some settings. */
export interface Operation extends Endpoint {
  readonly endpoint: Endpoint
  readonly status: 200 | 201
  readonly schemas: { readonly path: z.ZodType; readonly query: z.ZodType; readonly body: z.ZodType }
  /** Presents a row before it becomes JSON. Errors: as the functions of the option `present`. */
  readonly present: (row: Row<TableName>, data: Data) => unknown
}

export interface Contract {
  readonly settings: Settings
  readonly operations: readonly Operation[]
  bind(endpoint: Endpoint): Operation
  /** The codecs of arranged records and of requests, whose fields the option `present` leaves as they are. */
  readonly codec: (schema: z.ZodType) => Codec
}

/** The number of cached contracts; each takes some hundred kilobytes. The least recently used is evicted. */
const MAX_CACHED = 20

const caches = new WeakMap<NonNullable<Settings['present']>, Map<string, Contract>>()
const keys = new WeakMap<Settings, string>()

export const getSettingsKey = (settings: Settings): string =>
  getOrCreate(keys, settings, () =>
    JSON.stringify({ ...withSettings(defaultSettings, settings), present: undefined }),
  )

/**
 * Returns the contract under some settings: the same object for equal settings, while it is cached. Keep the settings and
 * call this again instead of keeping the contract.
 */
export function getContract(settings: Settings): Contract {
  const { present } = settings
  const key = getSettingsKey(settings)
  if (!present && key === defaultKey) return defaultContract
  const cache = getOrCreate(caches, present ?? defaultSettings, () => new RecentMap<Contract>(MAX_CACHED))
  const contract = cache.get(key) ?? createContract(settings)
  cache.set(key, contract)
  return contract
}

function createContract(settings: Settings): Contract {
  const { present } = settings
  const codec = createCodecs(settings, present && ((schema) => createPresented(schema, present)))
  const bound = new Map<Endpoint, Operation>()
  const bind = (endpoint: Endpoint): Operation =>
    getOrCreate(bound, endpoint, () => bindEndpoint(endpoint, settings, codec))
  return {
    settings,
    get operations() {
      return endpoints.map(bind)
    },
    bind,
    codec: present ? createCodecs(settings) : codec,
  }
}

export const defaultContract: Contract = createContract(defaultSettings)
const defaultKey = getSettingsKey(defaultSettings)

function bindEndpoint(endpoint: Endpoint, settings: Settings, codec: Contract['codec']): Operation {
  const { schema: shape, encode } = codec(endpoint.shape)
  const body = endpoint.body && codec(endpoint.body).schema
  const adapted = rebuild(endpoint.query, (parameter) => codec(parameter).schema)
  const query = settings.unknownParameters === 'refused' ? adapted.strict() : adapted
  return {
    ...endpoint,
    endpoint,
    shape,
    // Rows are validated before they are stored, so that a record fits its shape.
    present:
      shape === endpoint.shape
        ? endpoint.resource.present
        : (row, data) => encode(endpoint.resource.present(row, data), row),
    body,
    query,
    schemas: {
      path: createPathSchema(endpoint.path),
      query: createQuerySchema(query, settings.arrayEncoding === 'comma' ? ',' : undefined),
      body: body ?? z.undefined(),
    },
    returns: chooseReturnKind(settings, endpoint),
    status: endpoint.method === 'POST' ? settings.createStatus : 200,
  }
}

/** Source: assumptions, for lists whose envelope the document does not show. */
function chooseReturnKind({ pages, envelopes }: Settings, { returns, assumes }: Endpoint): ReturnKind {
  if (assumes === undefined) return returns
  if (returns === 'page') return pages === 'array' ? 'slice' : 'page'
  return returns === 'list' && envelopes === 'all' ? 'envelope' : returns
}

/** Source: assumption A-36. */
export const TOO_MANY_REQUESTS = 429

/** Lists the errors of an operation. Source: assumptions. */
export function listErrorCodes({ path, body }: Operation, settings: Settings): readonly ProblemCode[] {
  const inOrganization = path.includes('{organizationId}')
  const namesRecord = /\{(?!organizationId)/.test(path)
  const { otherOrganization, foreignRecord, unknownParameters } = settings
  const isForbidden = otherOrganization === 403 || (namesRecord && foreignRecord === 403)
  const isNotFound = otherOrganization === 404 || namesRecord
  return [
    ...(inOrganization || unknownParameters === 'refused' ? (['invalid_request'] as const) : []),
    'unauthorized' as const,
    ...(inOrganization && isForbidden ? (['forbidden'] as const) : []),
    ...(inOrganization && isNotFound ? (['not_found'] as const) : []),
    ...(body
      ? (['payload_too_large', 'unsupported_media_type', 'storage_unavailable', 'storage_full'] as const)
      : []),
  ]
}

export const toStatus = (code: ProblemCode, { violationStatus }: Settings): number =>
  code === 'invalid_request' ? violationStatus : problems[code].status
