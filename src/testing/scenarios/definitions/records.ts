import { withLongText, withoutGeneratedText } from '../../../../seed/dataset/long-texts.ts'
import { toSortable } from '../../../contract/fields.ts'
import { runAtOnce } from '../../../core/slices.ts'
import { nameRecord, type Row, type TableName } from '../../../store/tables.ts'
import { deleteRow, findParts, type Part } from '../../records/dependents.ts'
import { type Stage, touch } from '../../records/stage.ts'
import { type ChangeContext, defineScenario } from '../definition.ts'
import { children, deletable, editCustomer, findTable, nameRecords } from './pages.ts'

const listed = { on: 'listCustomers', after: 1, times: 1, customerId: undefined } as const

export const silentChange = defineScenario({
  text: 'After the last page of a list, a field of a customer changes, but its updatedDate does not.',
  options: { ...listed, count: 1 },
  editsCustomers: true,
  turn: 'last page',
  change: ({ stage, options, customers }) => {
    const changed = customers.slice(0, options.count)
    for (const customer of changed) editCustomer(stage, customer, customer.updatedDate)
    return changed.length === 0 ? undefined : `changed employeeCount of ${nameRecords('customers', changed)}`
  },
})

export const childOnlyChange = defineScenario({
  text: 'After the last page of a list, a meeting, signal or note of a customer changes, or the transcript of a meeting arrives, but the customer does not change.',
  options: { ...listed, collection: 'meetings', field: undefined },
  turn: 'last page',
  check: ({ collection, field }) => {
    if (!findTable(children, collection)) return [['collection', `must be one of ${children.join(', ')}`]]
    const isTranscript = field === 'transcript' && collection === 'meetings'
    return field === undefined || isTranscript
      ? []
      : [['field', 'must be transcript, of meetings, or left out']]
  },
  change: (context) => {
    const { stage, options, customers, now } = context
    if (options.field !== undefined) return addTranscript(context)
    const collection = findTable(children, options.collection) ?? 'meetings'
    for (const { id } of customers) {
      const changed = editChild(stage, collection, id, now)
      if (changed !== undefined) return `updated ${changed} of customer ${id}`
    }
    return undefined
  },
})

type Child = (typeof children)[number]

const edits: { readonly [T in Child]: (row: Row<T>) => Partial<Row<T>> } = {
  meetings: ({ nextSteps }) => ({
    nextSteps: [...nextSteps, 'Send the recap to everyone who could not attend.'],
  }),
  signals: () => ({ latestNote: 'Waiting for an answer from the customer.' }),
  notes: ({ content }) => ({ content: `${content} Update: they confirmed it by email.` }),
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- row and edit are of the same table
function editChild<T extends Child>(stage: Stage, table: T, customerId: number, now: string) {
  const [row] = stage.data.select(table, [['customerId', customerId]]).page(0, 1)
  if (!row) return undefined
  stage.put(table, row.id, touch({ ...row, ...edits[table](row) }, now))
  return nameRecord(table, row.id)
}

function addTranscript({ stage, request, customers, now }: ChangeContext): string | undefined {
  const { endpoint, ids } = request
  const isWaiting = ({ hasTranscript, contacts, endDate }: Row<'meetings'>): boolean =>
    !hasTranscript && contacts.length > 0 && endDate <= now
  const shown =
    endpoint?.resource.table === 'meetings' ? ids.flatMap((id) => stage.get('meetings', id) ?? []) : []
  let meeting = shown.find(isWaiting)
  for (const { id } of customers) {
    meeting ??= stage.find('meetings', 'customerId', id).find(isWaiting)
    if (meeting) break
  }
  if (!meeting) return undefined
  stage.put('meetings', meeting.id, touch({ ...meeting, hasTranscript: true }, now))
  return `added the transcript of meeting ${meeting.id} of customer ${meeting.customerId}`
}

export const deleted = defineScenario({
  text: 'After the last page of a list, a customer of that page is deleted with its records, or only a meeting, signal or note; nothing announces it.',
  options: { ...listed, count: 1, collection: 'customers' },
  turn: 'last page',
  check: ({ collection }) =>
    findTable(deletable, collection) ? [] : [['collection', `must be one of ${deletable.join(', ')}`]],
  change: ({ stage, options, records }) => {
    const collection = findTable(deletable, options.collection)
    const gone = records.slice(0, options.count)
    if (!collection || gone.length === 0) return undefined
    for (const record of gone) deleteRow(collection, record, stage)
    return `deleted ${nameRecords(collection, gone)}`
  },
})

export const merged = defineScenario({
  text: 'After the last page of a list, a customer is merged into another one, which takes its sources and records.',
  options: listed,
  turn: 'last page',
  change: ({ stage, request, customers, now }) => {
    const others = [...customers, ...stage.list('customers', request.caller.organizationId)]
    const [first, ...rest] = customers
    const loser = rest.find(({ sources }) => sources.length > 0) ?? rest[0] ?? first
    const survivor = others.find(({ id }) => id !== loser?.id)
    if (!loser || !survivor) return undefined
    moveRecords(stage, loser, survivor)
    deleteRow('customers', loser, stage)
    const sources = [...survivor.sources, ...loser.sources]
    stage.put('customers', survivor.id, { ...survivor, sources, updatedDate: now })
    return `merged customer ${loser.id} into customer ${survivor.id}`
  },
})

function moveRecords(stage: Stage, from: Row<'customers'>, to: Row<'customers'>): void {
  const { data } = stage
  for (const table of children) {
    for (const row of data.select(table, [['customerId', from.id]]).page()) {
      // The transcript of a meeting follows from its customer, so it must be generated before.
      const kept = withLongText(table, row, data.texts, data)
      stage.put(table, row.id, { ...kept, customerId: to.id })
    }
  }
}

export const memberLeaves = defineScenario({
  text: 'After the last page of a list, a member leaves: their manager takes over roles, open signals and meetings to come, their token ends, and what is past still names them.',
  options: { on: 'listCustomers', after: 1, times: 1, memberId: undefined },
  turn: 'last page',
  change: (context) => {
    const { stage, now } = context
    const leaver = findLeaver(context)
    const heir = leaver && findHeir(stage, leaver)
    if (!leaver || leaver.leftDate !== undefined || !heir) return undefined
    const count = handOver(stage, leaver, heir, now)
    for (const report of listReports(stage, leaver)) {
      stage.put('members', report.id, { ...report, managerId: heir.id })
    }
    stage.put('members', leaver.id, { ...leaver, leftDate: now })
    return `removed member ${leaver.id} and gave its roles on ${count} customers to member ${heir.id}`
  },
})

const listReports = (stage: Stage, { id }: Row<'members'>): Row<'members'>[] =>
  stage.find('members', 'managerId', id).filter((report) => report.id !== id)

function findHeir(stage: Stage, leaver: Row<'members'>): Row<'members'> | undefined {
  const { id, managerId } = leaver
  return managerId === id ? listReports(stage, leaver)[0] : stage.get('members', managerId)
}

function handOver(stage: Stage, leaver: Row<'members'>, heir: Row<'members'>, now: string): number {
  const replace = (ids: readonly number[]): number[] => [
    ...new Set(ids.map((id) => (id === leaver.id ? heir.id : id))),
  ]
  const customers = stage.data.select('customers', [['memberId', leaver.id]]).page()
  const texts = listTextsAbout(stage, leaver, customers)
  for (const customer of customers) {
    const memberRoles = customer.memberRoles.map((role) => ({ ...role, memberIds: replace(role.memberIds) }))
    stage.put('customers', customer.id, { ...customer, memberRoles, updatedDate: now })
  }
  for (const signal of stage.find('signals', 'ownerId', leaver.id)) {
    if (signal.status === 'closed' || signal.status === 'dismissed') continue
    stage.put('signals', signal.id, touch({ ...signal, ownerId: heir.id, updatedById: heir.id }, now))
  }
  for (const meeting of stage.data.select('meetings', [['startDate', { from: toSortable(now) }]]).page()) {
    if (meeting.startDate <= now || !meeting.memberIds.includes(leaver.id)) continue
    const memberIds = replace(meeting.memberIds)
    stage.put('meetings', meeting.id, touch({ ...meeting, memberIds }, now))
  }
  for (const { table, row } of texts) keepText(stage, table, row)
  return customers.length
}

function listTextsAbout(
  stage: Stage,
  { firstName, organizationId }: Row<'members'>,
  customers: readonly Row<'customers'>[],
): Part[] {
  const { data } = stage
  const list = (table: 'actionLogs' | 'triggerLogs'): Part[] =>
    stage.list(table, organizationId).map((row) => ({ table, row }))
  const briefs = customers.flatMap((customer) => runAtOnce(findParts('customers', customer, data)))
  const contents = briefs.filter(({ table }) => table === 'briefContents')
  return [...contents, ...list('triggerLogs'), ...list('actionLogs')]
    .map(({ table, row }) => ({ table, row: withLongText(table, row, data.texts, data) }))
    .filter(({ row }) => JSON.stringify(row).includes(firstName))
}

function keepText<T extends TableName>(stage: Stage, table: T, row: Row<T>): void {
  if (withoutGeneratedText(table, row, stage.data.texts, stage.data) === row) stage.put(table, row.id, row)
}

/** Finds the member that leaves: by default the first with a role on a customer who neither calls nor manages anybody. */
function findLeaver({ stage, options, request, customers }: ChangeContext): Row<'members'> | undefined {
  if (options.memberId !== undefined) return stage.get('members', options.memberId)
  const ids = customers.flatMap(({ memberRoles }) => memberRoles.flatMap(({ memberIds }) => memberIds))
  const leavers = ids.flatMap((id) => stage.get('members', id) ?? [])
  const isManager = (id: number): boolean => stage.data.select('members', [['managerId', id]]).total > 0
  return leavers.find(({ id }) => id !== request.caller.id && !isManager(id))
}
