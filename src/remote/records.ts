import { type ArrangeOptions, type SessionRecords, wrapMethod } from '../records/api.ts'
import type { ChangeFilter, ListOptions } from '../records/types.ts'
import { forEachTable, type TableName } from '../store/tables.ts'
import type { Call } from './call.ts'

const PAGE = 250

export function createRemoteRecords(call: Call): SessionRecords {
  const api = {
    ...forEachTable<{ readonly [T in TableName]: unknown }>((table) => {
      const path = (id: number): string => `data/${table}/${id}`
      return {
        list: wrapMethod('argument', (options?: ListOptions) => list(call, table, options)),
        counts: wrapMethod('argument', (by: string, options?: ArrangeOptions) =>
          call('GET', `data/${table}/counts`, { query: { by, ...options } }),
        ),
        get: wrapMethod('argument', (id: number) => call('GET', path(id))),
        history: wrapMethod('argument', (id: number) => call('GET', `data/history/${table}/${id}`)),
        put: wrapMethod('record', (record: { readonly id?: number }, options?: ArrangeOptions) =>
          record.id === undefined
            ? call('POST', `data/${table}`, { query: { ...options }, body: record })
            : call('PUT', path(record.id), { query: { ...options }, body: record }),
        ),
        patch: wrapMethod('patch', (id: number, patch: unknown) => call('PATCH', path(id), { body: patch })),
        delete: wrapMethod('argument', async (id: number) => {
          const { deleted } = await call<{ readonly deleted: unknown }>('DELETE', path(id))
          return deleted
        }),
        create: wrapMethod('records', (records: readonly unknown[], options?: ArrangeOptions) =>
          call('POST', `data/${table}`, { query: { ...options }, body: records }),
        ),
      }
    }),
    create: wrapMethod('batch', (batch: object, options?: ArrangeOptions) =>
      call('POST', 'data', { query: { ...options }, body: batch }),
    ),
    changes: wrapMethod('filter', async (filter?: ChangeFilter) => {
      // Without options, the control plane compares with the dataset.
      const query = filter && { ...filter, since: filter.since ?? 0 }
      const { items } = await call<{ readonly items: unknown }>('GET', 'data/changes', { query })
      return items
    }),
    undo: wrapMethod('argument', (table: TableName, id: number) => undo(call, `data/changes/${table}/${id}`)),
    undoAll: wrapMethod('argument', () => undo(call, 'data/changes')),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane validates what goes in, and returns the records of the collection
  return api as SessionRecords
}

interface Page {
  readonly items: readonly unknown[]
  readonly totalCount: number
}

async function list(call: Call, table: TableName, options: ListOptions = {}): Promise<Page> {
  const { offset = 0, limit = Infinity, organizationId } = options
  const items: unknown[] = []
  for (;;) {
    const left = Math.min(limit - items.length, PAGE)
    // oxlint-disable-next-line no-await-in-loop -- the next page begins where this one ends
    const page = await call<Page>('GET', `data/${table}`, {
      query: { offset: offset + items.length, limit: Math.max(left, 1), organizationId },
    })
    items.push(...page.items.slice(0, left))
    if (items.length >= limit || page.items.length === 0 || offset + items.length >= page.totalCount) {
      return { items, totalCount: page.totalCount }
    }
  }
}

async function undo(call: Call, path: string): Promise<unknown> {
  const { undone } = await call<{ readonly undone: unknown }>('DELETE', path)
  return undone
}
