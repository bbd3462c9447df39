import type { JsonObject } from '../../core/json.ts'
import { lowerBound } from '../../core/lower-bound.ts'
import { getContract } from '../../service/contract.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { isVisible, parseRecord, present } from './collections.ts'
import type { Reads, Span, Viewer } from './past.ts'
import { StateData } from './state-data.ts'

/** A record as an operation shows it in some states; without content where it does not exist. */
export interface Version extends Span {
  readonly shown: JsonObject | undefined
  readonly text: string
}

interface Presence extends Span {
  readonly row: Row<TableName> | undefined
}

/** The records of a collection as an operation shows them in each state. */
export class Versions {
  readonly table: TableName
  readonly #viewer: Viewer
  readonly #endpoint: Endpoint
  /** Those of the record that was looked at last. Order: chronological. */
  #known: Version[] = []
  #id: number | undefined

  constructor(viewer: Viewer, endpoint: Endpoint) {
    this.table = endpoint.resource.table
    this.#viewer = viewer
    this.#endpoint = endpoint
  }

  /** Finds the row of a record that the caller sees in a state, without presenting it. */
  findRow(id: number, index: number): Presence {
    const { past, caller } = this.#viewer
    const reads: Reads = { rows: [], tables: new Set() }
    const row = past.findRow(this.table, id, past.getState(index), reads)
    return { ...past.findSpan(index, reads), row: isVisible(row, caller) ? row : undefined }
  }

  find(id: number, index: number): Version {
    if (id !== this.#id) this.#known = []
    this.#id = id
    const known = this.#known
    const at = lowerBound(known.length, (place) => (known[place]?.to ?? 0) >= index)
    const near = known[at]
    if (near && near.from <= index) return near
    const version = this.#make(id, index)
    known.splice(at, 0, version)
    return version
  }

  #make(id: number, index: number): Version {
    const { past, settings } = this.#viewer
    const { row, ...span } = this.findRow(id, index)
    if (!row) return { ...span, shown: undefined, text: '' }
    const data = new StateData(past, past.getState(index))
    const text = present(this.#endpoint, getContract(settings), row, data)
    const { from, to } = past.findSpan(index, data.reads)
    return {
      from: Math.max(from, span.from),
      to: Math.min(to, span.to),
      shown: parseRecord(text),
      text,
    }
  }

  /** Lists the versions since a state. Order: chronological. */
  *list(id: number, index: number): Generator<Version> {
    for (let at = index; at <= this.#viewer.past.now.index;) {
      const version = this.find(id, at)
      yield version
      at = version.to + 1
    }
  }

  /** Finds the first state since which a record has been as it is in a state. */
  findBegin(id: number, index: number): number {
    let { from, text } = this.find(id, index)
    while (from > 0) {
      const before = this.find(id, from - 1)
      if (before.text !== text) break
      ;({ from, text } = before)
    }
    return from
  }

  /** Lists the rows that a record has had up to a state, with the states that have them. Order: the latest first. */
  *listFormer(id: number, index = this.#viewer.past.now.index): Generator<Presence> {
    for (let at = index; at >= 0;) {
      const presence = this.findRow(id, at)
      yield presence
      at = presence.from - 1
    }
  }

  /** Finds the first state since which a record has existed, up to a state that has it. */
  findAppearance(id: number, index: number): number {
    let first = index
    for (const { row, from } of this.listFormer(id, index)) {
      if (!row) break
      first = from
    }
    return first
  }

  /** Finds the last state in which a record existed. */
  findLast(id: number): number | undefined {
    for (const { row, to } of this.listFormer(id)) if (row) return to
    return undefined
  }
}
