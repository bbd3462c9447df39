import { useEffect, useState } from 'preact/hooks'

import { read, Refusal, revision } from '../../calls.ts'
import { session } from '../../place.ts'
import { type AnyRecord, labelOf } from './words.ts'

/** How many records of a collection are known by name, at most. */
const KNOWN = 250

/** The records of some collections, to choose from and to name. */
export interface Records {
  /** Order: as the service lists them; undefined until they are known. */
  of(collection: string): Known | undefined
  /** What a record is called; undefined where that is not known. */
  nameOf(collection: string, id: unknown): string | undefined
}

interface Known {
  readonly items: readonly AnyRecord[]
  /** Whether these are all there are. */
  readonly isAll: boolean
  readonly names: ReadonlyMap<unknown, string>
}

interface Listed {
  readonly items: readonly AnyRecord[]
  readonly totalCount: number
}

/** The records that some collections have in an organization: the first of each, read anew when the data changes. */
export function useRecords(collections: readonly string[], organizationId: string | undefined): Records {
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map())
  const wanted = Array.from(new Set(collections)).toSorted().join()
  useEffect(() => {
    if (wanted === '' || organizationId === undefined) return undefined
    const over = new AbortController()
    const reading = wanted.split(',').map((collection) => listed(collection, organizationId, over.signal))
    Promise.all(reading).then(
      (entries) => over.signal.aborted || setKnown(new Map(entries)),
      // Who shows an id without its name says nothing wrong.
      (error: unknown) => {
        if (!over.signal.aborted && !(error instanceof Refusal)) throw error
      },
    )
    return () => over.abort()
  }, [wanted, organizationId, session.value, revision.value])
  return {
    of: (collection) => known.get(collection),
    nameOf: (collection, id) => known.get(collection)?.names.get(id),
  }
}

async function listed(
  collection: string,
  organizationId: string,
  until: AbortSignal,
): Promise<readonly [string, Known]> {
  const query = new URLSearchParams({ organizationId, limit: `${KNOWN}` })
  const { items, totalCount } = await read<Listed>(`/_sandbox/data/${collection}?${query}`, until)
  const names = new Map(items.map((record) => [record['id'], labelOf(record)]))
  return [collection, { items, isAll: items.length === totalCount, names }]
}
