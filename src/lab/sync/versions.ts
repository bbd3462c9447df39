import { isObject, type JsonObject } from '../../core/json.ts'
import { getOrCreate } from '../../core/maps.ts'
import { getContract } from '../../service/contract.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { TableName } from '../../store/tables.ts'
import { isVisible, present } from './collections.ts'
import type { Context } from './context.ts'
import type { State } from './history.ts'

export interface Version {
  readonly shown: JsonObject
  readonly text: string
}

export class Versions {
  readonly table: TableName
  readonly #context: Context
  readonly #endpoint: Endpoint
  readonly #known = new Map<number, Map<number, Version | undefined>>()

  constructor(context: Context, endpoint: Endpoint) {
    this.table = endpoint.resource.table
    this.#context = context
    this.#endpoint = endpoint
  }

  find(id: number, { index }: Pick<State, 'index'>): Version | undefined {
    const known = getOrCreate(this.#known, id, () => new Map<number, Version | undefined>())
    const last = this.#findLast(id, index, known)
    if (!known.has(last)) known.set(last, this.#make(id, last))
    const version = known.get(last)
    known.set(index, version)
    return version
  }

  #findLast(id: number, index: number, known: ReadonlyMap<number, unknown>): number {
    const { resource } = this.#endpoint
    const { history } = this.#context
    let last = index
    while (!known.has(last) && last + 1 < history.states.length) {
      if (history.mayHaveChanged(last + 1, this.table, id, resource.embeds)) break
      last += 1
    }
    return last
  }

  #make(id: number, index: number): Version | undefined {
    const { caller, settings, history } = this.#context
    const data = history.states[index]?.data
    const row = data?.get(this.table, id)
    if (!data || !isVisible(row, caller)) return undefined
    const shown = present(this.#endpoint, getContract(settings), row, data)
    return { shown, text: JSON.stringify(shown) }
  }

  findBegin(id: number, state: Pick<State, 'index'>): State {
    const version = this.find(id, state)
    return this.#findFirst(id, state, (before) => before?.text === version?.text)
  }

  findAppearance(id: number, state: Pick<State, 'index'>): State {
    return this.#findFirst(id, state, (before) => before !== undefined)
  }

  #findFirst(
    id: number,
    { index }: Pick<State, 'index'>,
    continues: (before: Version | undefined) => boolean,
  ): State {
    let first = index
    while (first > 0 && continues(this.find(id, { index: first - 1 }))) first -= 1
    const { history } = this.#context
    return history.states[first] ?? history.now
  }
}

export const isVersion = (delivered: JsonObject, { shown }: Version): boolean =>
  Object.keys(delivered).every((name) => !(name in shown) || isEqual(delivered[name], shown[name]))

export function readUpdatedDate(record: JsonObject | undefined): string | undefined {
  const date = record?.['updatedDate']
  return typeof date === 'string' ? date : undefined
}

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Converts an instant to milliseconds since 1970, without a time zone as UTC; undefined if it is none. */
function toInstantMs(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  const [, date, time = '', zone = 'Z'] = (typeof value === 'string' && INSTANT.exec(value)) || []
  if (date === undefined) return undefined
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const timeMs = Date.parse(`${date}T${time}${offset.toUpperCase()}`)
  return Number.isNaN(timeMs) ? undefined : timeMs
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (isNumber(one) || isNumber(other))
    return toNumber(one) === toNumber(other) && toNumber(one) !== undefined
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, at) => isEqual(part, other[at]))
  }
  const instantMs = toInstantMs(one)
  if (instantMs !== undefined) return instantMs === toInstantMs(other)
  if (!isObject(one) || !isObject(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isEqual(one[name], other[name]))
}

export function findDifferentFields(
  row: JsonObject,
  truth: JsonObject,
  ignored: ReadonlySet<string>,
): string[] {
  return Object.keys(truth).filter(
    (name) => row[name] !== undefined && !ignored.has(name) && !isEqual(row[name], truth[name]),
  )
}
