import type { Settings } from '../../contract/choices.ts'
import type { JsonObject } from '../../core/json.ts'
import type { PageShown } from '../../core/response.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { FaultSettings } from '../faults/fault.ts'
import type { Stage } from '../records/stage.ts'
import type { WritableSession } from '../records/written-changes.ts'
import type { OptionName, ScenarioMemory, ScenarioOptions } from './options.ts'

export interface ScenarioRequest {
  /** Undefined for an unknown path. */
  readonly endpoint: Endpoint | undefined
  readonly caller: Row<'members'>
  readonly customerId?: number | undefined
  /** Default: 0. */
  readonly offset?: number
  /** How often the caller's token was renewed. Default: 0. */
  readonly renewals?: number
  readonly settings: Settings
}

export interface AnsweredRequest extends ScenarioRequest {
  readonly hasResponse: boolean
  readonly ids: readonly number[]
  readonly page?: Pick<PageShown, 'offset' | 'total'> | undefined
}

export type ScenarioHost = Pick<WritableSession, 'data' | 'clock'>

export interface ScenarioProgress<O extends ScenarioOptions = ScenarioOptions> {
  readonly id: string
  readonly options: O
  matched: number
  acted: number
  memory: ScenarioMemory
  /** The number of commits that the session had made before the scenario began. */
  readonly begun: number
}

export interface ChangeContext<O extends ScenarioOptions = ScenarioOptions> {
  readonly stage: Stage
  readonly options: O
  readonly request: AnsweredRequest
  readonly now: string
  readonly memory: ScenarioMemory
  readonly remember: (facts: ScenarioMemory) => unknown
  /** The customers that the request concerns, or the one in the options. Order: as the response shows them. */
  readonly customers: readonly Row<'customers'>[]
  /** The records of the collection in the options that the request concerns. Order: as the response shows them. */
  readonly records: readonly Row<TableName>[]
}

/** The responses after which a change is made: the first page of a list, the last, or any but the last. */
export type Turn = 'first page' | 'inner page' | 'last page'

export interface ScenarioDefinition<O extends ScenarioOptions = ScenarioOptions> {
  readonly text: string
  readonly options: ScenarioOptions
  readonly check?: (options: O) => readonly (readonly [option: OptionName, message: string])[]
  readonly isForOneCaller?: boolean
  readonly fault?: (options: O) => FaultSettings
  readonly refuse?: (request: ScenarioRequest, state: ScenarioProgress<O>, now: string) => void
  /** Whether it edits customers, so that a sweep lets lists lag by its changes. */
  readonly editsCustomers?: boolean
  /** Reports whether it can act on an operation; besides, a change can only if it finds records there. */
  readonly canActOn?: (endpoint: Endpoint, options: O) => boolean
  readonly turn?: Turn
  readonly remember?: (memory: ScenarioMemory, request: AnsweredRequest, data: Data) => ScenarioMemory
  /** Changes data before the first page of a list that `change` is going to follow, and says what it has changed. */
  readonly begin?: (context: ChangeContext<O>) => string | undefined
  readonly change?: (context: ChangeContext<O>) => string | undefined
  /** The time that passes before and after a change. Shape: an ISO 8601 duration. */
  readonly pause?: (options: O) => string
  readonly view?: (
    request: ScenarioRequest,
    state: ScenarioProgress<O>,
    host: ScenarioHost,
    data: Data,
  ) => { readonly data: Data; readonly did: string } | undefined
  /** By how much `view` shows former data. Units: seconds. */
  readonly lagSeconds?: (options: O) => number
  readonly rewrite?: (
    record: JsonObject,
    request: AnsweredRequest,
    state: ScenarioProgress<O>,
  ) => JsonObject | undefined
  readonly rewriteTotal?: (total: number, options: O) => number
}

type WithDefaults<D> = ScenarioOptions & {
  readonly [K in keyof D & OptionName as D[K] extends undefined ? never : K]-?: NonNullable<
    ScenarioOptions[K]
  >
}

export function defineScenario<const D extends ScenarioOptions>(
  definition: ScenarioDefinition<WithDefaults<D>> & { readonly options: D },
): ScenarioDefinition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- options are completed by the defaults before any function gets them
  return definition as unknown as ScenarioDefinition
}
