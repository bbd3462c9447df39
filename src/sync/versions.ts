import { getContract } from '../resources/contract.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import type { TableName } from '../store/tables.ts'
import { isVisible, present, type Shown } from './collections.ts'
import { isEqual } from './compare.ts'
import type { Context } from './context.ts'
import type { State } from './history.ts'

export interface Version {
  readonly shown: Shown
  /** The record as JSON, equal for equal versions. */
  readonly text: string
}

/** The versions of the records of a collection that a member has seen or could have seen. */
export class Versions {
  readonly table: TableName
  readonly #context: Context
  readonly #endpoint: Endpoint
  readonly #known = new Map<number, Map<number, Version | undefined>>()

  /** @param endpoint the operation whose shape counts */
  constructor(context: Context, endpoint: Endpoint) {
    this.table = endpoint.resource.table
    this.#context = context
    this.#endpoint = endpoint
  }

  get #history(): Context['history'] {
    return this.#context.history
  }

  /** Finds the version of a record in a state; undefined if the member does not see it. */
  find(id: number, { index }: Pick<State, 'index'>): Version | undefined {
    const known = this.#known.get(id) ?? new Map<number, Version | undefined>()
    this.#known.set(id, known)
    const last = this.#findLast(id, index, known)
    if (!known.has(last)) known.set(last, this.#make(id, last))
    const version = known.get(last)
    known.set(index, version)
    return version
  }

  #findLast(id: number, index: number, known: ReadonlyMap<number, unknown>): number {
    const { resource } = this.#endpoint
    let last = index
    while (!known.has(last) && last + 1 < this.#history.states.length) {
      if (this.#history.mayHaveChanged(last + 1, this.table, id, resource.embeds)) break
      last += 1
    }
    return last
  }

  #make(id: number, index: number): Version | undefined {
    const data = this.#history.states[index]?.data
    const row = data?.get(this.table, id)
    const { caller, settings } = this.#context
    if (!data || !isVisible(row, caller, settings)) return undefined
    const shown = present(this.#endpoint, getContract(settings), row, data)
    return { shown, text: JSON.stringify(shown) }
  }

  /** Finds the first state from which on, up to a given one, a record has the version that it has there. */
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
    return this.#history.states[first] ?? this.#history.now
  }
}

/** Reports whether a delivered record is a version, as far as both have the same fields. */
export const isVersion = (delivered: Shown, { shown }: Version): boolean =>
  Object.keys(delivered).every((name) => !(name in shown) || isEqual(delivered[name], shown[name]))

export function readUpdatedDate(record: Shown | undefined): string | undefined {
  const date = record?.['updatedDate']
  return typeof date === 'string' ? date : undefined
}
