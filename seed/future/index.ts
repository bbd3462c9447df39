import type { Change, RecordPlace, Row, TableName } from '../../src/store/tables.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import { DAY } from '../calendar/time.ts'
import type { CustomerReader } from '../dataset/customer-rows.ts'
import { getRootCustomer } from '../dataset/ids.ts'
import { createTexts } from '../dataset/long-texts.ts'
import { readRow, snapshots, type CustomerTimeline } from './customer-timeline.ts'
import { advanceCustomer, beginCustomer, findRoot } from './customers.ts'
import { listFixtureEvents } from './fixture-timeline.ts'
import { LivingDataset, type FutureSource } from './living-dataset.ts'
import { createOrganizationEvents, type ListOrganizationEvents, type TenantEvent } from './organizations.ts'

/** A tenant at a time. Units: milliseconds since 1970. */
export interface TenantState {
  readonly atMs: number
  /** The time of the next event; infinite if there is none. */
  readonly nextMs: number
  readonly customers: readonly CustomerTimeline[]
  readonly organizations: readonly ListOrganizationEvents[]
}

export interface TenantStep {
  readonly state: TenantState
  readonly changes: readonly Change[]
}

const BATCH = 500

/**
 * Creates the events after a dataset's time. Each customer has a timeline of its own, which depends on the seed, on the
 * customer and on the time alone: neither on other customers nor on the steps by which it is advanced.
 */
export function createFuture(source: FutureSource) {
  const dataset = new LivingDataset(source)
  const allOrganizations = dataset.tenant.organizations.map((one) => createOrganizationEvents(dataset, one))
  const fixtureEvents = listFixtureEvents(source)
  const texts = createTexts(dataset.seed)
  type Scope = Pick<TenantState, 'customers' | 'organizations'>

  /** Lists the events of organizations and of the fixture, which takes precedence. Order: by time. */
  const listEvents = ({ organizations }: Scope, afterMs: number, toMs: number): TenantEvent[] =>
    [
      ...organizations.flatMap((list) => list(afterMs, toMs)),
      ...fixtureEvents.filter(({ atMs }) => atMs > afterMs),
    ].toSorted((a, b) => a.atMs - b.atMs)

  function createState(scope: Scope, atMs: number): TenantState {
    let nextMs = listEvents(scope, atMs, atMs + DAY)[0]?.atMs ?? Infinity
    for (const customer of scope.customers) nextMs = Math.min(nextMs, customer.nextMs)
    return { ...scope, atMs, nextMs }
  }

  return {
    lastMs: dataset.lastMs,
    /** Begins with the whole tenant, or with what can change a record: its customer, or organizations, and the fixture. */
    begin: function* (record?: RecordPlace): Generator<undefined, TenantState> {
      const root = record && findRoot(record)
      const customers: CustomerTimeline[] = []
      for (const [index, customer] of source.rows.customers.entries()) {
        if (index % BATCH === 0) yield
        const isRelated = !record || getRootCustomer(customer.id) === root
        if (isRelated && !dataset.isStatic('customers', customer.id))
          customers.push(beginCustomer(dataset, customer))
      }
      const organizations = root === undefined ? allOrganizations : []
      return createState({ customers, organizations }, dataset.nowMs)
    },
    /** Applies the events up to a time, those of one customer in a step. */
    advance: function* (state: TenantState, toMs: number): Generator<undefined, TenantStep> {
      const changes: Change[] = []
      const customers: CustomerTimeline[] = []
      for (const customer of state.customers) {
        if (customer.nextMs > toMs) customers.push(customer)
        else {
          customers.push(...advanceCustomer(customer, toMs, changes))
          yield
        }
      }
      for (const event of listEvents(state, state.atMs, toMs)) {
        if (event.atMs <= toMs) changes.push(...event.changes)
      }
      return { state: createState({ ...state, customers }, toMs), changes }
    },
    /**
     * Creates the reader of the long texts of a moment. A text quotes the data as it was when its record was written,
     * except for what a session has changed.
     */
    texts: (moment: Reader): Texts => ({
      transcript: (meeting, data) => texts.transcript(meeting, rewindData(dataset, meeting, data, moment)),
      briefContent: (content, data) =>
        texts.briefContent(content, rewindData(dataset, content, data, moment)),
      logMessage: (log, data) => texts.logMessage(log, rewindData(dataset, log, data, moment)),
    }),
  }
}

function rewindData(
  dataset: LivingDataset,
  record: Row<TableName>,
  data: Reader,
  moment: Reader,
): Reader | CustomerReader {
  const snapshot = snapshots.get(record)
  const isLog = 'automationId' in record
  const readThen = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    if (!snapshot) return dataset.source.data.get(table, id)
    // The id of a log does not name its customer.
    const ownId = isLog && table === 'customers' ? snapshot.customer.id : id
    return readRow(dataset, snapshot, table, ownId)
  }
  const get = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    const row = data.get(table, id)
    return row === moment.get(table, id) ? readThen(table, id) : row
  }
  if (!snapshot) return { get }
  const { customer, children } = snapshot
  return {
    get,
    listRows: (table) => {
      const rows = children[table] ?? dataset.listCustomerRows(table, customer.id)
      return rows.flatMap((row) => get(table, row.id) ?? [])
    },
  }
}
