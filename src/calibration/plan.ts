import { choices } from '../contract/choices.ts'
import { MAX_INTEGER } from '../contract/fields.ts'
import { isObject } from '../contract/json.ts'
import type { OperationId } from '../resources/index.ts'
import { type Answer, isSuccess } from './answers.ts'
import { readBody } from './records.ts'
import { NO_STATUS } from './words.ts'

type Json = Readonly<Record<string, unknown>>

/** The values of a path's parameters, and a query. */
export interface PlannedRequest {
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly query?: string
}

/** A step of the plan: one request, or several until one shows what is needed. */
export interface Step {
  readonly operation: OperationId
  /** The request without the tenant's values, like `limit=250`. */
  readonly query: string
  /** The most requests that the step sends. */
  readonly most: number
  /** Chooses the requests from the answers so far. */
  readonly choose: (seen: Seen) => Iterable<PlannedRequest>
  /** Ends the step early. */
  readonly isEnough?: (answer: Answer) => boolean
}

/** The answers so far. */
export class Seen {
  readonly answers: Answer[] = []

  /** Returns the records that an operation has shown, the latest answer last. */
  list(operation: OperationId): readonly Json[] {
    return this.answers
      .filter(({ endpoint }) => endpoint.id === operation)
      .flatMap((answer) => readBody(answer).records)
  }

  /** Returns the ids of the records that an operation has shown. */
  ids(operation: OperationId): readonly number[] {
    return this.list(operation).flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
  }

  /** Returns the caller's organization. */
  get organizationId(): string {
    const id = this.list('getCurrentMember')[0]?.['organizationId']
    return typeof id === 'string' ? id : ''
  }
}

const once = [{}]

function one(operation: OperationId, query = ''): Step {
  return { operation, query, most: 1, choose: () => [{ query }] }
}

/** Reads pages of 250 until the last one. */
function pages(operation: OperationId, most: number, filter = ''): Step {
  const toQuery = (offset: number): string =>
    `${filter}${offset === 0 ? '' : `offset=${offset}&`}limit=${PAGE}`
  return {
    operation,
    query: `${filter}limit=${PAGE}`,
    most,
    choose: () => Array.from({ length: most }, (_, at) => ({ query: toQuery(at * PAGE) })),
    isEnough: (answer) => readBody(answer).records.length < PAGE,
  }
}

const PAGE = 250

const hasRecords = (answer: Answer): boolean => readBody(answer).records.length > 0

/** Reads a list below each record of another list, until one list is not empty. */
function below(
  operation: OperationId,
  parent: OperationId,
  parameter: string,
  most: number,
  isEnough: (answer: Answer) => boolean = hasRecords,
): Step {
  return {
    operation,
    query: '',
    most,
    choose: (seen) => seen.ids(parent).map((id) => ({ parameters: { [parameter]: id } })),
    isEnough,
  }
}

const listObjects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Reports whether an automation has a child with triggers or actions. */
function hasChildParts(answer: Answer): boolean {
  const isFull = ({ triggers, actions }: Json): boolean =>
    [triggers, actions].some((parts) => Array.isArray(parts) && parts.length > 0)
  return readBody(answer).records.some(({ children }) => listObjects(children).some(isFull))
}

/** Reports whether meetings have contacts and a transcript. */
function hasContacts(answer: Answer): boolean {
  const { records } = readBody(answer)
  const some = (isMeant: (meeting: Json) => boolean): boolean => records.some(isMeant)
  return (
    some(({ contacts }) => listObjects(contacts).length > 0) &&
    some(({ hasTranscript }) => hasTranscript === true)
  )
}

/** Reads automations from both ends of their list, until one has a child: its end may hold children only. */
const automations: Step = {
  ...below('getAutomation', 'listAutomations', 'automationId', 10, hasChildParts),
  choose: (seen) => {
    const ids = seen.ids('listAutomations')
    const fromBothEnds = ids.flatMap((_, at) => [ids[at], ids[ids.length - 1 - at]]).slice(0, ids.length)
    return [...new Set(fromBothEnds)].flatMap((id) =>
      id === undefined ? [] : [{ parameters: { automationId: id } }],
    )
  },
}

/** Reads the logs of the parts of automations. */
function logs(operation: OperationId, parts: 'triggers' | 'actions', parameter: string): Step {
  return {
    operation,
    query: '',
    most: 5,
    choose: (seen) =>
      seen.list('getAutomation').flatMap(({ id, [parts]: list }) =>
        listObjects(list).map((part) => ({
          parameters: { automationId: Number(id), [parameter]: Number(part['id']) },
        })),
      ),
    isEnough: hasRecords,
  }
}

/** Reads a transcript. */
const transcript: Step = {
  operation: 'getCustomerMeeting',
  query: '',
  most: 2,
  choose: (seen) =>
    seen
      .list('listCustomerMeetings')
      .filter(({ hasTranscript }) => hasTranscript === true)
      .map(({ id, customerId }) => ({
        parameters: { meetingId: Number(id), customerId: Number(customerId) },
      })),
  isEnough: (answer) =>
    readBody(answer).records.some((meeting) => listObjects(meeting['transcript']).length > 0),
}

const briefContents: Step = {
  operation: 'listCustomerBriefContents',
  query: '',
  most: 8,
  choose: (seen) => {
    const briefs = seen.ids('listBriefs')
    return seen.ids('listCustomers').flatMap((customerId, at) => {
      const briefId = briefs[at % briefs.length]
      return briefId === undefined ? [] : [{ parameters: { customerId, briefId } }]
    })
  },
  isEnough: hasRecords,
}

/** Sends one word of each alternative, and one that no service has. */
function statuses(operation: OperationId, name: 'signalStatuses' | 'customerStatuses'): Step {
  const words = choices[name].alternatives.map(({ value }) => Object.values(value)[0] ?? '')
  const all = [...words, NO_STATUS]
  return {
    operation,
    query: `status=${words.join('|')}|${NO_STATUS}&limit=1`,
    most: all.length,
    choose: () => all.map((word) => ({ query: `status=${word}&limit=1` })),
  }
}

/** Lists the countries of customers that are whole words, the rarest first. */
function listCountries(seen: Seen): readonly string[] {
  const counts = new Map<string, number>()
  for (const { country } of seen.list('listCustomers')) {
    if (typeof country !== 'string' || !/^[^,]*[A-Za-z][^,]*$/.test(country)) continue
    counts.set(country, (counts.get(country) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => a[1] - b[1]).map(([country]) => country)
}

const swapCase = (text: string): string =>
  text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase()

const inOtherCase: Step = {
  operation: 'listCustomers',
  query: 'country=(a known one in other case)&limit=250',
  most: 1,
  choose: (seen) =>
    listCountries(seen).map((country) => ({
      query: `country=${encodeURIComponent(swapCase(country))}&limit=${PAGE}`,
    })),
}

const withComma: Step = {
  operation: 'listCustomers',
  query: 'country=(two known ones with a comma)&limit=250',
  most: 1,
  choose: (seen) => {
    const [first, second] = listCountries(seen)
    return second === undefined
      ? []
      : [{ query: `country=${encodeURIComponent(`${first},${second}`)}&limit=${PAGE}` }]
  },
}

/** Filters by a known instant, and by one between it and the next millisecond. */
const updatedSince: Step = {
  operation: 'listCustomers',
  query: 'updatedSince=(the latest change, and 0.9 ms later)&limit=250',
  most: 2,
  choose: (seen) => {
    const instants = seen
      .list('listCustomers')
      .flatMap(({ updatedDate }) => toMilliseconds(updatedDate) ?? [])
    const latest = instants.toSorted().at(-1)
    return latest === undefined
      ? []
      : [latest, beyond(latest)].map((instant) => ({ query: `updatedSince=${instant}&limit=${PAGE}` }))
  },
}

/** Also finds the digits that an answer's format cuts, since most meetings start at whole minutes. */
const minStartDate: Step = {
  operation: 'listCustomerMeetings',
  query: 'minStartDate=(a known start, 1 ms later, and 0.9 ms later)&limit=250',
  most: 3,
  choose: (seen) => {
    const meetings = seen.list('listCustomerMeetings').flatMap(({ customerId, startDate }) => {
      const start = typeof startDate === 'string' ? Date.parse(startDate) : Number.NaN
      return Number.isNaN(start) ? [] : [{ customerId: Number(customerId), start }]
    })
    const [last] = meetings.toSorted((a, b) => b.start - a.start)
    if (!last) return []
    const start = new Date(last.start).toISOString()
    const instants = [start, new Date(last.start + 1).toISOString(), beyond(start)]
    return instants.map((instant) => ({
      parameters: { customerId: last.customerId },
      query: `minStartDate=${instant}&limit=${PAGE}`,
    }))
  },
}

/** Converts an instant to UTC; undefined if it has no milliseconds. */
function toMilliseconds(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/\.\d{3}(?:Z|[+-]\d\d:\d\d)$/.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const beyond = (instant: string): string => instant.replace('Z', '9Z')

const otherOrganization: Step = {
  operation: 'listMembers',
  query: 'in an organization that does not exist',
  most: 1,
  choose: () => [{ parameters: { organizationId: NO_STATUS } }],
}

/** Reads a record after the last known one: with luck, it belongs to another organization. */
function foreign(operation: OperationId, parent: OperationId, parameter: string): Step {
  return {
    operation,
    query: 'after the last known id',
    most: 1,
    choose: (seen) => {
      const ids = seen.ids(parent)
      return ids.length === 0
        ? []
        : [{ parameters: { [parameter]: ids.reduce((a, b) => Math.max(a, b)) + 1 } }]
    },
  }
}

function missing(operation: OperationId, query: string): Step {
  const note = `of a customer that does not exist${query && `, ${query}`}`
  return {
    operation,
    query: note,
    most: 1,
    choose: () => [{ parameters: { customerId: MAX_INTEGER }, query }],
  }
}

function first(operation: OperationId, parent: OperationId, parameter: string): Step {
  return below(operation, parent, parameter, 1)
}

/** Every request that a calibration sends, each a GET. Order: as sent. */
export const plan: readonly Step[] = [
  { operation: 'getCurrentMember', query: '', most: 1, choose: () => once },
  one('listMembers'),
  pages('listCustomers', 4),
  pages('listCustomers', 3, 'scope=team&'),
  one('listSignals', `limit=${PAGE}`),
  first('getCustomer', 'listCustomers', 'customerId'),
  first('getSignal', 'listSignals', 'signalId'),
  one('listAutomations'),
  automations,
  logs('listAutomationTriggerLogs', 'triggers', 'triggerId'),
  logs('listAutomationActionLogs', 'actions', 'actionId'),
  one('listBriefs'),
  briefContents,
  one('listCustomFields'),
  one('listMemberRoles'),
  one('listNoteCategories'),
  one('listProducts'),
  below('listProductMetrics', 'listProducts', 'productId', 3),
  below('listCustomerNotes', 'listCustomers', 'customerId', 8),
  below('listCustomerMeetings', 'listCustomers', 'customerId', 12, hasContacts),
  transcript,
  {
    ...one('listCustomers', 'limit=10'),
    most: 2,
    choose: () => [{ query: 'limit=10' }, { query: 'limit=10' }],
  },
  one('listCustomers', `limit=1&${NO_STATUS}=1`),
  one('listCustomers', 'limit=0'),
  one('listCustomers', 'limit=1e1'),
  one('listCustomers', 'limit=1&limit=2'),
  one('listCustomers', `memberId=${MAX_INTEGER}&limit=1`),
  statuses('listCustomers', 'customerStatuses'),
  inOtherCase,
  withComma,
  updatedSince,
  minStartDate,
  otherOrganization,
  missing('getCustomer', ''),
  missing('listCustomerMeetings', 'limit=0'),
  foreign('getCustomer', 'listCustomers', 'customerId'),
  foreign('getMember', 'listMembers', 'memberId'),
]

/** Reports whether the first answer is that of the service. */
export const isMember = (answer: Answer): boolean =>
  isSuccess(answer) &&
  readBody(answer).records.some(({ organizationId }) => typeof organizationId === 'string')
