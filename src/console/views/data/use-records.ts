import { useEffect, useState } from 'preact/hooks'

import { RequestError, read, revision } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { session } from '../../place.ts'
import { type AnyRecord, findCollection, getLabel } from './labels.ts'

/** The most records to load per collection. */
const KNOWN = 250

/** Loaded records by collection. */
export interface Records {
  /** Order: as the service lists them; undefined until loaded. */
  get(collection: string): LoadedRecords | undefined
  /** Returns a record's name; undefined if unknown. */
  getName(collection: string, id: unknown): string | undefined
}

interface LoadedRecords {
  readonly items: readonly AnyRecord[]
  /** Whether all records were loaded. */
  readonly isAll: boolean
  readonly names: ReadonlyMap<unknown, string>
}

/** Loads the first records of some collections, and reloads them when the data changes. */
export function useRecords(collections: readonly string[], organizationId: string | undefined): Records {
  const [known, setKnown] = useState<ReadonlyMap<string, LoadedRecords>>(new Map())
  const wanted = Array.from(new Set(collections)).toSorted().join()
  useEffect(() => {
    if (wanted === '' || organizationId === undefined) return undefined
    const controller = new AbortController()
    const reading = wanted
      .split(',')
      .map((collection) => loadRecords(collection, organizationId, controller.signal))
    Promise.all(reading).then(
      (entries) => controller.signal.aborted || setKnown(new Map(entries)),
      // Without names, ids are shown.
      (error: unknown) => {
        if (!controller.signal.aborted && !(error instanceof RequestError)) throw error
      },
    )
    return () => controller.abort()
  }, [wanted, organizationId, session.value, revision.value])
  return {
    get: (collection) => known.get(collection),
    getName: (collection, id) => known.get(collection)?.names.get(id),
  }
}

async function loadRecords(
  collection: string,
  organizationId: string,
  until: AbortSignal,
): Promise<readonly [string, LoadedRecords]> {
  const query = { organizationId, limit: `${KNOWN}` }
  const call = prepare('get', routes.data[':collection'], { param: { collection }, query })
  const { items, totalCount } = await read(call, until)
  const names = new Map(items.map((record) => [record['id'], getLabel(record)]))
  return [collection, { items, isAll: items.length === totalCount, names }]
}

/** The collections and organization of the shown records. */
export interface Source {
  readonly collections: readonly string[]
  readonly organizationId: string
}

/** The collections and records needed to name and link references. */
export interface Naming {
  readonly collections: readonly string[]
  readonly records: Records
}

/** Loads the records that some fields refer to. */
export function useNaming(fields: readonly string[], { collections, organizationId }: Source): Naming {
  const referred = fields.flatMap((field) => findCollection(field, collections) ?? [])
  return { collections, records: useRecords(referred, organizationId) }
}
