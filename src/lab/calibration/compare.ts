import * as z from 'zod'

import type { ChoiceName } from '../../contract/choices.ts'
import { createCodecs } from '../../contract/codecs.ts'
import { instantPatterns } from '../../contract/fields.ts'
import { problemSchemas } from '../../contract/problem-schema.ts'
import { defaultSettings, withSettings } from '../../contract/settings.ts'
import { type JsonObject, listObjects, readShown } from '../../core/json.ts'
import { groupBy } from '../../core/maps.ts'
import { findUnknownNames } from '../../http/warn.ts'
import { getContract } from '../../service/contract.ts'
import type { OperationId } from '../../service/index.ts'
import { Signal } from '../../service/signals.ts'
import type { Answer } from './answers.ts'

/** The values of a setting that an answer agrees with, and those that it does not. */
export interface Observation {
  readonly name: ChoiceName
  readonly answer: Answer
  readonly fits: (value: unknown) => boolean
  /** The words of an enumeration that the service has used or accepted. */
  readonly words?: readonly string[] | undefined
}

type Observe = (
  name: ChoiceName,
  answer: Answer,
  fits: Observation['fits'],
  words?: readonly string[],
) => void

/** Compares answers with every setting that they show. Order: as the answers. */
export function compareAnswers(answers: readonly Answer[]): readonly Observation[] {
  const observations: Observation[] = []
  const observe: Observe = (name, answer, fits, words) => {
    observations.push({ name, answer, fits, words })
  }
  const facts = collectFacts(answers)
  for (const answer of answers) {
    compareForm(answer, observe)
    compareFields(answer, observe)
    compareStatusFilter(answer, observe)
    compareRefusal(answer, facts, observe)
    compareQuery(answer, observe)
    compareTextFilters(answer, facts, observe)
  }
  compareTeams(answers, facts, observe)
  compareNotes(answers, observe)
  return observations
}

const isSuccess = ({ status, form }: Answer): boolean =>
  status === undefined ? form !== 'other' : status < 300
const isRejected = ({ status }: Answer): boolean => status === 400 || status === 422

/** Reports whether the service itself has refused a request that had access. */
const isRefusal = ({ status = 200 }: Answer): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 429

const listRecords = (answers: readonly Answer[], ...ids: readonly OperationId[]): readonly JsonObject[] =>
  answers.flatMap(({ endpoint, records }) => (ids.some((id) => id === endpoint.id) ? records : []))

const MAX_CUSTOMERS = 5_000

type Facts = ReturnType<typeof collectFacts>

function collectFacts(answers: readonly Answer[]) {
  const successes = answers.filter(isSuccess)
  const byOrganization = groupBy(answers, ({ parameters }) => parameters['organizationId'])
  const customers = Array.from(byOrganization, ([organizationId, some]) => {
    const read = listRecords(some, 'listCustomers', 'getCustomer').slice(0, MAX_CUSTOMERS)
    return [organizationId, new Map(read.map((customer) => [customer['id'], customer]))] as const
  })
  return {
    /** The organizations of the records that were read, by their path without it. */
    owners: new Map(successes.map((one) => [toPathKey(one), one.parameters['organizationId']])),
    /** The customers that were read, by organization and id. */
    customers: new Map(customers),
  }
}

function toPathKey({ endpoint, parameters }: Answer): string {
  return JSON.stringify([endpoint.path, { ...parameters, organizationId: '' }])
}

/** Source: assumptions. */
function compareForm(answer: Answer, observe: Observe): void {
  const { endpoint, form, status, body } = answer
  if (!isSuccess(answer)) return
  if (endpoint.method === 'POST' && status !== undefined) {
    observe('createStatus', answer, (value) => value === status)
  }
  if (form === 'record' || body === undefined) return
  if (endpoint.returns === 'page' && endpoint.assumes !== undefined) {
    observe('pages', answer, (value) => value === form)
  }
  if (endpoint.returns === 'list') {
    observe('envelopes', answer, (value) => form === (value === 'all' ? 'envelope' : 'array'))
  }
}

const nullable = createCodecs({ ...defaultSettings, absentValues: 'null' })

/** A field with a timestamp, at any level of a record. */
const TIMESTAMP = /"(?!renewalDate)[A-Za-z]+Date":"([^"]+)"/g

/** Source: assumptions. */
function compareFields(answer: Answer, observe: Observe): void {
  const { endpoint, records } = answer
  const dates = Array.from(JSON.stringify(records).matchAll(TIMESTAMP), ([, date = '']) => date)
  if (dates.length > 0) {
    observe('timestamps', answer, (value) =>
      Object.entries(instantPatterns).some(
        ([form, [pattern]]) => form === value && dates.every((date) => pattern.test(date)),
      ),
    )
  }
  const fields = listFields(endpoint.shape)
  const other = Object.fromEntries(listFields(nullable(endpoint.shape).schema))
  const optional = fields.filter(([name, field]) => !(field instanceof z.ZodArray) && other[name] !== field)
  const values = new Set(records.flatMap((record) => optional.map(([name]) => record[name])))
  if (values.has(null)) observe('absentValues', answer, (value) => value === 'null')
  if (values.has('')) observe('absentValues', answer, (value) => value === 'typed')
  if (endpoint.shape === Signal && records.length > 0) {
    const words = [...new Set(records.map(({ status }) => String(status)))]
    const fits = (value: unknown) => words.every((word) => listNames(value).includes(word))
    observe('signalStatuses', answer, fits, words)
  }
}

const listFields = (shape: z.ZodType): [string, z.ZodType][] =>
  shape instanceof z.ZodObject ? Object.entries<z.ZodType>(shape.shape) : []

/** Lists the names of statuses, in either form. */
const listNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : Object.keys(Object(value))

/** The word of a filter that a list accepts or rejects. Source: assumptions. */
function compareStatusFilter(answer: Answer, observe: Observe): void {
  const { endpoint, query } = answer
  const [word = ''] = [query['status'] ?? ''].flat()
  const isAccepted = isSuccess(answer)
  if (word === '' || !(isAccepted || isRejected(answer))) return
  const fits = (value: unknown): boolean => listNames(value).includes(word) === isAccepted
  const words = isAccepted ? [word] : []
  if (endpoint.id === 'listSignals') observe('signalStatuses', answer, fits, words)
  if (endpoint.id === 'listCustomers') observe('customerStatuses', answer, fits, words)
}

/** Source: assumptions. */
function compareRefusal(answer: Answer, { owners }: Facts, observe: Observe): void {
  const { endpoint, status, body, parameters } = answer
  if (!isRefusal(answer)) return
  observe('errorFormat', answer, (value) =>
    Object.entries(problemSchemas).some(
      ([name, { schema }]) => body === undefined || (name === value && schema.safeParse(body).success),
    ),
  )
  const { organizationId } = parameters
  if (organizationId === undefined || owners.size === 0 || isRejected(answer)) return
  if (![...owners.values()].includes(organizationId)) {
    return observe('otherOrganization', answer, (value) => value === status)
  }
  const owner = owners.get(toPathKey(answer))
  // A status that an absent record never has shows that the record exists.
  const isForeign = status === 403 || (owner !== undefined && owner !== organizationId)
  if (endpoint.find && isForeign) observe('foreignRecord', answer, (value) => value === status)
}

/** Source: assumptions. */
function compareQuery(answer: Answer, observe: Observe): void {
  const { endpoint, status } = answer
  // The words of a status are compared elsewhere.
  const { status: word, ...query } = answer.query
  const isAccepted = isSuccess(answer)
  if (status === undefined || (word !== undefined && !isAccepted)) return
  const operation = getContract(defaultSettings).bind(endpoint)
  if (operation.schemas.query.safeParse(query).success) {
    if (findUnknownNames(operation.query, Object.keys(query)).length === 0) return
    const expected = isAccepted ? 'ignored' : 'refused'
    if (isAccepted || isRejected(answer)) observe('unknownParameters', answer, (value) => value === expected)
  } else if (isRefusal(answer) && status !== 403 && status !== 404) {
    observe('violationStatus', answer, (value) => value === status)
  }
}

const TEXT_FILTER = /^(?:offset|limit|(?:segment|domain|country|region|city)(?:\[\d*\])?)$/

/** Source: assumption A-13. */
function compareTextFilters(answer: Answer, { customers }: Facts, observe: Observe): void {
  const { endpoint, query, form } = answer
  if (endpoint.id !== 'listCustomers' || form === 'other') return
  const isOnlyText = Object.keys(query).every((name) => TEXT_FILTER.test(name))
  if (!isOnlyText || !String(Object.values(query)).includes(',')) return
  observe('arrayEncoding', answer, (value) => {
    const settings = withSettings(defaultSettings, { arrayEncoding: value === 'comma' ? value : 'repeat' })
    const { schemas } = getContract(settings).bind(endpoint)
    const filter = Object.entries(Object(schemas.query.safeParse(query).data))
    return hasOnly(answer, customers, (customer) =>
      filter.every(([name, wanted]) => !Array.isArray(wanted) || wanted.includes(customer[name])),
    )
  })
}

/** Reports whether all customers in a list match, and, if the list is whole, no other known one of its organization. */
function hasOnly(
  { records, body, parameters }: Answer,
  customers: Facts['customers'],
  matches: (customer: JsonObject) => boolean,
): boolean {
  if (!records.every(matches)) return false
  const ids = new Set(records.map(({ id }) => id))
  const isWhole = readShown(body).total === records.length
  const known = customers.get(parameters['organizationId']) ?? []
  return !isWhole || [...known].every(([id, one]) => ids.has(id) || !matches(one))
}

/** Source: assumption A-12. */
function compareTeams(answers: readonly Answer[], { customers }: Facts, observe: Observe): void {
  const callers = listRecords(answers, 'getCurrentMember')
  const [caller] = callers
  if (!caller || callers.some(({ id }) => id !== caller['id'])) return
  const members = [
    ...listRecords(answers, 'listMembers', 'getMember'),
    ...[...customers.values()].flatMap((some) => [...some.values()]).flatMap(listMembers),
  ]
  const managers = new Map(members.map(({ id, managerId }) => [id, managerId]))
  const listReports = (manager: unknown): unknown[] =>
    [...managers].flatMap(([member, above]) => (above === manager ? [member] : []))
  const peers = new Set([caller['id'], ...listReports(caller['managerId'])])
  const branch = new Set([caller['managerId'], ...peers])
  // The iteration includes members that are added meanwhile.
  for (const member of branch) for (const below of listReports(member)) branch.add(below)
  for (const answer of answers) {
    const { offset: _, limit: __, ...filters } = answer.query
    const isTeam = JSON.stringify(filters) === '{"scope":"team"}'
    if (answer.endpoint.id !== 'listCustomers' || answer.form === 'other' || !isTeam) continue
    observe('team', answer, (value) => {
      const team = value === 'branch' ? branch : peers
      return hasOnly(answer, customers, (customer) => listMembers(customer).some(({ id }) => team.has(id)))
    })
  }
}

const listMembers = ({ memberRoles }: JsonObject): JsonObject[] =>
  listObjects(memberRoles).flatMap(({ members }) => listObjects(members))

const MAX_NOTES = 50

/** Compares a customer before and after a note. Source: assumption A-32. */
function compareNotes(answers: readonly Answer[], observe: Observe): void {
  const notes = answers.filter((one) => one.endpoint.id === 'createCustomerNote' && one.form === 'record')
  for (const note of notes.slice(0, MAX_NOTES)) {
    const id = Number(note.parameters['customerId'])
    const listDates = (some: readonly Answer[]): unknown[] =>
      listRecords(some, 'listCustomers', 'getCustomer').flatMap((one) =>
        one['id'] === id ? one['updatedDate'] : [],
      )
    const at = answers.indexOf(note)
    const [before, [after]] = [listDates(answers.slice(0, at)).at(-1), listDates(answers.slice(at + 1))]
    const now = note.records[0]?.['createdDate']
    if (before === undefined || before === now || (after !== before && after !== now)) continue
    observe('noteTouches', note, (value) => value === (after === now ? 'customer' : 'nothing'))
  }
}
