import { importSequentially } from '../../src/core/import-sequentially.ts'
import { decodePiece, JsonText, type Piece } from '../../src/core/json-steps.ts'
import { getOrCreate } from '../../src/core/maps.ts'
import {
  type DatasetContent,
  forEachTable,
  readFormatted,
  type Row,
  type TableName,
  tableNames,
} from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { getLogCustomer } from './ids.ts'

interface Head {
  readonly organizations: readonly OrganizationRow[]
  /** The smallest size of the dataset with each customer and each member. Order: as the rows. */
  readonly leastSizes: { readonly customers: readonly number[]; readonly members: readonly number[] }
}

export interface ReadyMade extends Head {
  /** Reads the rows of a table, once. */
  readonly rows: { readonly [T in TableName]: () => readonly Row<T>[] }
  readonly formatted: NonNullable<DatasetContent['formatted']>
}

/** The JSON of the head, and of each table's rows. */
type Texts = readonly Piece[]

/**
 * Datasets that need not be generated, with their seed, fixture and `now` as text. Order: by size.
 * DECISION: empty in the sources; `vite.config.ts` embeds the default dataset in sizes small and medium, because most
 * programs use it or a smaller one, and reading it takes a tenth of the time. Revisit when the generators load as fast.
 */
export const readyMade: readonly {
  readonly source: string
  readonly size: number
  /** A module whose default export are the texts, in templates. Path: from the built files. */
  readonly file: string
  readonly load: () => Promise<{ readonly default: Texts }>
}[] = []

const loaded = new Map<string, Promise<ReadyMade>>()

export const loadReadyMade = ({ file, load }: (typeof readyMade)[number]): Promise<ReadyMade> =>
  getOrCreate(loaded, file, async () => {
    const read = importSequentially(() => import('./read-templates.ts'))
    return parseTexts(
      await read.then(({ readTemplates }) => readTemplates(file)).catch(async () => (await load()).default),
    )
  })

function parseTexts([head = '', ...lists]: Texts): ReadyMade {
  if (lists.length !== tableNames.length) throw new Error('the file is still being written')
  const formatted = forEachTable<ReadyMade['formatted']>(
    (name) => new JsonText(lists[tableNames.indexOf(name)] ?? ''),
  )
  return { ...JSON.parse(decodePiece(head)), rows: readFormatted(formatted), formatted }
}

export function cutDataset({ organizations, rows, leastSizes }: ReadyMade, size: number): DatasetContent {
  const isKept = (table: keyof typeof leastSizes, at: number): boolean => (leastSizes[table][at] ?? 0) <= size
  const customers = rows.customers().filter((_, at) => isKept('customers', at))
  const ids = new Set(customers.map(({ id }) => id))
  const isRowKept = (row: object): boolean => !('customerId' in row) || ids.has(Number(row.customerId))
  const isLogKept = ({ id }: { readonly id: number }): boolean => {
    const customer = getLogCustomer(id)
    return customer === undefined || ids.has(customer)
  }
  return {
    organizations,
    rows: {
      ...forEachTable<ReadyMade['rows']>((table) => () => rows[table]().filter(isRowKept)),
      customers,
      members: () => rows.members().filter((_, at) => isKept('members', at)),
      triggerLogs: () => rows.triggerLogs().filter(isLogKept),
      actionLogs: () => rows.actionLogs().filter(isLogKept),
    },
  }
}
