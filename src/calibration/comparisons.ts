import type { Settings } from '../contract/choices.ts'
import { isObject, type JsonObject, listObjects } from '../core/json.ts'
import { getContract } from '../resources/contract.ts'
import { tables } from '../store/tables.ts'
import { type Answer, isSuccess, listRecords, readBody, toPathKey } from './answers.ts'
import { type Evidence, findAlternatives } from './evidence.ts'
import { isNeutral, joinPages, type SeenList } from './lists.ts'
import { isFieldName, listVariants } from './schemas.ts'

export function compareAnswers(answers: readonly Answer[], best: Settings, evidence: Evidence): void {
  compareOrder(answers, evidence)
  compareAutomationLists(answers, evidence)
  compareNoteEffects(answers, evidence)
  const customers = new Map(
    listRecords(answers, 'customers')
      .slice(0, MAX_CUSTOMERS)
      .flatMap((record) => (typeof record['id'] === 'number' ? [[record['id'], record]] : [])),
  )
  const lists = joinPages(answers, 'listCustomers')
  compareTextFilters(lists, customers, best, evidence)
  compareTeams(answers, lists, customers, evidence)
}

/** Source: assumption A-03. */
function compareOrder(answers: readonly Answer[], evidence: Evidence): void {
  const lists = answers.flatMap((answer) => {
    const { endpoint } = answer
    if (endpoint.returns === 'one' || tables[endpoint.resource.table].order !== 'by id') return []
    const records = readBody(answer).records.filter(({ id }) => typeof id === 'number')
    return records.length > 1 ? [{ answer, records, directions: findDirections(records, 'id') }] : []
  })
  // One list in another order shows that the order by id of short lists is chance.
  const other = lists.find(({ directions }) => directions.length === 0)
  if (other) evidence.describe('order', describeOrder(other.records))
  for (const { answer, records, directions } of lists) {
    const fitting = other ? [] : directions.map((one) => (one === 'ascending' ? 0 : 1))
    evidence.add('order', fitting, answer, records.length)
  }
}

function findDirections(records: readonly JsonObject[], name: string): ('ascending' | 'descending')[] {
  const values = records.map((record) => record[name])
  if (!values.every((value) => typeof value === typeof values[0])) return []
  if (typeof values[0] !== 'number' && typeof values[0] !== 'string') return []
  const pairs = values.slice(1).map((value, at) => compare(values[at], value))
  if (pairs.every((sign) => sign === 0)) return []
  if (pairs.every((sign) => sign <= 0)) return ['ascending']
  return pairs.every((sign) => sign >= 0) ? ['descending'] : []
}

/** Reports whether a log is newest first; undefined for other lists, and for records of one time. */
export function isNewestFirst(answer: Answer): boolean | undefined {
  const { returns, resource } = answer.endpoint
  if (returns === 'one' || tables[resource.table].order === 'by id') return undefined
  const { records } = readBody(answer)
  const dates = new Set(records.map(({ createdDate }) => createdDate))
  return dates.size < 2 ? undefined : findDirections(records, 'createdDate').includes('descending')
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

function describeOrder(records: readonly JsonObject[]): string {
  for (const name of Object.keys(records[0] ?? {}).filter(isFieldName)) {
    const [direction] = findDirections(records, name)
    if (direction !== undefined) return `by ${name}, ${direction}`
  }
  return 'by no field of the records'
}

/** Source: assumption A-19. */
function compareAutomationLists(answers: readonly Answer[], evidence: Evidence): void {
  const listChildren = ({ children }: JsonObject): readonly JsonObject[] =>
    listObjects(children).flatMap((child) => [child, ...listChildren(child)])
  const children = new Set(
    listRecords(answers, 'getAutomation')
      .flatMap(listChildren)
      .map(({ id }) => id),
  )
  for (const { answer, items } of joinPages(answers, 'listAutomations')) {
    if (children.size === 0) return
    const shown = [...children].filter((id) => typeof id === 'number' && items.has(id)).length
    evidence.add('automationList', [shown > 0 ? 1 : 0], answer, Math.max(shown, 1))
  }
}

/** Source: assumption A-32. */
function compareNoteEffects(answers: readonly Answer[], evidence: Evidence): void {
  const before = new Map<unknown, unknown>()
  const pending = new Map<unknown, { answer: Answer; date: unknown; createdDate: unknown }>()
  for (const answer of answers) {
    const { endpoint, parameters } = answer
    if (endpoint.id === 'createCustomerNote' && isSuccess(answer)) {
      const id = Number(parameters['customerId'])
      const [note] = readBody(answer).records
      const date = before.get(id)
      if (date !== undefined && date !== note?.['createdDate']) {
        pending.set(id, { answer, date, createdDate: note?.['createdDate'] })
      }
    }
    if (endpoint.resource.table !== 'customers') continue
    for (const { id, updatedDate } of readBody(answer).records) {
      const note = pending.get(id)
      if (note) {
        pending.delete(id)
        if (updatedDate === note.date) evidence.add('noteTouches', [0], note.answer, 1)
        else if (updatedDate === note.createdDate) evidence.add('noteTouches', [1], note.answer, 1)
      }
      before.set(id, updatedDate)
    }
  }
}

const MAX_CUSTOMERS = 5_000

const textFilters = ['segment', 'domain', 'country', 'region', 'city'] as const

/** Source: assumptions. */
function compareTextFilters(
  lists: readonly SeenList[],
  customers: ReadonlyMap<number, JsonObject>,
  best: Settings,
  evidence: Evidence,
): void {
  for (const list of lists) {
    for (const name of ['arrayEncoding', 'textMatching'] as const) {
      const variants = listVariants(best, name)
      const fitting = findAlternatives(name, (_, at) => fitsFilters(list, customers, variants[at] ?? best))
      if (fitting.length > 0) evidence.add(name, fitting, list.answer, list.items.size)
    }
  }
}

function fitsFilters(
  { answer, items, isWhole }: SeenList,
  customers: ReadonlyMap<number, JsonObject>,
  settings: Settings,
): boolean {
  const parsed = getContract(settings).bind(answer.endpoint).schemas.query.safeParse(answer.query)
  if (!parsed.success || !isObject(parsed.data)) return true
  const query = parsed.data
  const fold = (text: unknown): unknown =>
    settings.textMatching === 'anyCase' && typeof text === 'string' ? text.toLowerCase() : text
  const matches = (customer: JsonObject): boolean =>
    textFilters.every((name) => {
      const wanted = query[name]
      return !Array.isArray(wanted) || wanted.some((one) => fold(one) === fold(customer[name]))
    })
  if (![...items.values()].every(matches)) return false
  const isOnlyText = Object.entries(query).every(
    ([name, value]) =>
      value === undefined || isNeutral(name, value) || textFilters.some((filter) => filter === name),
  )
  if (!isWhole || !isOnlyText) return true
  return [...customers].every(([id, customer]) => items.has(id) || !matches(customer))
}

/** Source: assumption A-12. */
function compareTeams(
  answers: readonly Answer[],
  lists: readonly SeenList[],
  customers: ReadonlyMap<number, JsonObject>,
  evidence: Evidence,
): void {
  const callers = listRecords(answers, 'getCurrentMember')
  const [caller] = callers
  if (!caller || callers.some(({ id }) => id !== caller['id'])) return
  const members = [...listRecords(answers, 'members'), ...[...customers.values()].flatMap(listMembers)]
  const teams = findTeams(caller, new Map(members.map(({ id, managerId }) => [id, managerId])))
  for (const { answer, items, isWhole } of lists) {
    const { scope, ...others } = answer.query
    if (scope !== 'team' || !Object.entries(others).every(([name, value]) => isNeutral(name, value))) continue
    const fits = (team: ReadonlySet<unknown>): boolean =>
      [...items.values()].every((one) => hasMember(one, team)) &&
      (!isWhole || [...customers].every(([id, one]) => items.has(id) || !hasMember(one, team)))
    const fitting = teams.flatMap((team, at) => (fits(team) ? [at] : []))
    if (fitting.length === 0) evidence.describe('team', 'other customers than those of either team')
    evidence.add('team', fitting, answer, items.size)
  }
}

function listMembers({ memberRoles }: JsonObject): JsonObject[] {
  return listObjects(memberRoles).flatMap(({ members }) => listObjects(members))
}

const hasMember = (customer: JsonObject, team: ReadonlySet<unknown>): boolean =>
  listMembers(customer).some(({ id }) => team.has(id))

function findTeams(
  { id, managerId }: JsonObject,
  managers: ReadonlyMap<unknown, unknown>,
): ReadonlySet<unknown>[] {
  const reports = (manager: unknown): unknown[] =>
    [...managers].flatMap(([member, above]) => (above === manager ? [member] : []))
  const peers = new Set([id, ...reports(managerId)])
  const branch = new Set([managerId, ...peers])
  // The iteration includes members that are added meanwhile.
  for (const member of branch) for (const below of reports(member)) branch.add(below)
  return [peers, branch]
}

export function findUnstable(answers: readonly Answer[]): readonly Answer[] {
  const orders = new Map<string, string>()
  return answers.filter((answer) => {
    if (answer.endpoint.returns === 'one' || !isSuccess(answer) || answer.isBodyOnly) return false
    const ids = readBody(answer).records.map(({ id }) => Number(id))
    const key = `${toPathKey(answer)} ${JSON.stringify(answer.query)} ${JSON.stringify(ids.toSorted((a, b) => a - b))}`
    const order = ids.join()
    const first = orders.get(key) ?? order
    orders.set(key, first)
    return first !== order
  })
}
