import { choices } from '../contract/choices.ts'
import { MAX_INTEGER } from '../contract/fields.ts'
import { isObject, type JsonObject, listObjects } from '../core/json.ts'
import { countEqual } from '../core/maps.ts'
import type { OperationId } from '../resources/index.ts'
import { type Answer, isSuccess, listRecords, readBody } from './answers.ts'
import { NO_STATUS } from './words.ts'

export interface PlannedRequest {
  readonly parameters?: Readonly<Record<string, string | number>>
  readonly query?: string
}

export interface Step {
  readonly operation: OperationId
  /** The request without the tenant's values, like `limit=250`. */
  readonly query: string
  readonly note?: string
  readonly most: number
  readonly choose: (answers: readonly Answer[]) => readonly PlannedRequest[]
  readonly isEnough?: (answer: Answer) => boolean
}

/** The largest page. Source: Limits. */
const PAGE = 250

function step(operation: OperationId, query = '', options: Partial<Step> = {}): Step {
  return { operation, query, most: 1, choose: () => [{ query }], ...options }
}

function pages(operation: OperationId, most: number, filter = ''): Step {
  const toQuery = (offset: number): string =>
    `${filter}${offset === 0 ? '' : `offset=${offset}&`}limit=${PAGE}`
  return step(operation, toQuery(0), {
    most,
    choose: () => Array.from({ length: most }, (_, at) => ({ query: toQuery(at * PAGE) })),
    isEnough: (answer) => readBody(answer).records.length < PAGE,
  })
}

const hasRecords = (answer: Answer): boolean => readBody(answer).records.length > 0

const listIds = (answers: readonly Answer[], operation: OperationId): readonly number[] =>
  listRecords(answers, operation).flatMap(({ id }) => (typeof id === 'number' ? [id] : []))

function below(
  operation: OperationId,
  parent: OperationId,
  parameter: string,
  options: Partial<Step> = {},
): Step {
  return step(operation, '', {
    choose: (answers) => listIds(answers, parent).map((id) => ({ parameters: { [parameter]: id } })),
    isEnough: hasRecords,
    ...options,
  })
}

// Reads automations from both ends of their list, until one has a child with parts: its end may hold children only.
const automations = step('getAutomation', '', {
  most: 10,
  choose: (answers) => {
    const ids = listIds(answers, 'listAutomations')
    const fromBothEnds = ids.flatMap((id, at) => [id, ids.at(-1 - at) ?? id]).slice(0, ids.length)
    return [...new Set(fromBothEnds)].map((automationId) => ({ parameters: { automationId } }))
  },
  isEnough: (answer) =>
    readBody(answer).records.some(({ children }) =>
      listObjects(children).some(({ triggers, actions }) => isFilled(triggers) || isFilled(actions)),
    ),
})

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

function listPartIds(parts: unknown): readonly number[] {
  const ids: unknown[] = Array.isArray(parts) ? parts.map((part) => (isObject(part) ? part['id'] : part)) : []
  return ids.filter((id) => typeof id === 'number')
}

function logs(operation: OperationId, parts: 'triggers' | 'actions', parameter: string): Step {
  return step(operation, '', {
    most: 5,
    choose: (answers) =>
      listRecords(answers, 'getAutomation')
        .flatMap((automation) => [automation, ...listObjects(automation['children'])])
        .flatMap(({ id, [parts]: list }) =>
          listPartIds(list).map((part) => ({ parameters: { automationId: Number(id), [parameter]: part } })),
        ),
    isEnough: hasRecords,
  })
}

const hasTranscript = (meeting: JsonObject): boolean => meeting['hasTranscript'] === true

const meetings = below('listCustomerMeetings', 'listCustomers', 'customerId', {
  most: 12,
  isEnough: (answer) => {
    const { records } = readBody(answer)
    return records.some(({ contacts }) => listObjects(contacts).length > 0) && records.some(hasTranscript)
  },
})

const transcript = step('getCustomerMeeting', '', {
  most: 2,
  choose: (answers) =>
    listRecords(answers, 'listCustomerMeetings')
      .filter(hasTranscript)
      .map(({ id, customerId }) => ({
        parameters: { meetingId: Number(id), customerId: Number(customerId) },
      })),
  isEnough: (answer) =>
    readBody(answer).records.some((meeting) => listObjects(meeting['transcript']).length > 0),
})

const briefContents = step('listCustomerBriefContents', '', {
  most: 8,
  choose: (answers) => {
    const briefs = listIds(answers, 'listBriefs')
    return listIds(answers, 'listCustomers').flatMap((customerId, at) => {
      const briefId = briefs[at % briefs.length]
      return briefId === undefined ? [] : [{ parameters: { customerId, briefId } }]
    })
  },
  isEnough: hasRecords,
})

function statuses(operation: OperationId, name: 'signalStatuses' | 'customerStatuses'): Step {
  const words = choices[name].alternatives.map(({ value }) => Object.values(value)[0] ?? '')
  const all = [...words, NO_STATUS]
  return step(operation, `status=${all.join('|')}&limit=1`, {
    most: all.length,
    choose: () => all.map((word) => ({ query: `status=${word}&limit=1` })),
  })
}

/** Lists the countries of customers that differ in another case. Order: the rarest first. */
function listCountries(answers: readonly Answer[]): readonly string[] {
  const names = listRecords(answers, 'listCustomers').flatMap(({ country }) =>
    typeof country === 'string' && !country.includes(',') && /[A-Za-z]/.test(country) ? [country] : [],
  )
  return countEqual(names)
    .toSorted((a, b) => a[1] - b[1])
    .map(([name]) => name)
}

const swapCase = (text: string): string =>
  text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase()

function countries(place: string, write: (countries: readonly string[]) => string | undefined): Step {
  return step('listCustomers', `country={${place}}&limit=${PAGE}`, {
    choose: (answers) => {
      const value = write(listCountries(answers))
      return value === undefined ? [] : [{ query: `country=${encodeURIComponent(value)}&limit=${PAGE}` }]
    },
  })
}

/** Filters by the instant of a change, and by one between it and the next millisecond. */
const updatedSince = step(
  'listCustomers',
  `updatedSince={the latest change, and 0.9 ms later}&limit=${PAGE}`,
  {
    most: 2,
    choose: (answers) => {
      const instants = listRecords(answers, 'listCustomers').flatMap(
        ({ updatedDate }) => toMilliseconds(updatedDate) ?? [],
      )
      const latest = instants.toSorted().at(-1)
      if (latest === undefined) return []
      return [latest, beyond(latest)].map((instant) => ({ query: `updatedSince=${instant}&limit=${PAGE}` }))
    },
  },
)

// Also finds the digits that an answer's format cuts, since most meetings start at whole minutes.
const minStartDate = step(
  'listCustomerMeetings',
  `minStartDate={a known start, 1 ms later, and 0.9 ms later}&limit=${PAGE}`,
  {
    most: 3,
    choose: (answers) => {
      const starts = listRecords(answers, 'listCustomerMeetings').flatMap(({ customerId, startDate }) => {
        const start = typeof startDate === 'string' ? Date.parse(startDate) : Number.NaN
        return Number.isNaN(start) ? [] : [{ customerId: Number(customerId), start }]
      })
      const [last] = starts.toSorted((a, b) => b.start - a.start)
      if (!last) return []
      const [start, next] = [last.start, last.start + 1].map((ms) => new Date(ms).toISOString())
      return [start, next, beyond(start ?? '')].map((instant) => ({
        parameters: { customerId: last.customerId },
        query: `minStartDate=${instant}&limit=${PAGE}`,
      }))
    },
  },
)

function toMilliseconds(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/\.\d{3}(?:Z|[+-]\d\d:\d\d)$/.test(value)) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const beyond = (instant: string): string => instant.replace('Z', '9Z')

// Reads a record after the last one that was shown: with luck, it belongs to another organization.
function foreign(operation: OperationId, parent: OperationId, parameter: string): Step {
  return step(operation, '', {
    note: 'an id after the last known one',
    choose: (answers) => {
      const ids = listIds(answers, parent)
      const last = ids.toSorted((a, b) => a - b).at(-1)
      return last === undefined ? [] : [{ parameters: { [parameter]: last + 1 } }]
    },
  })
}

const missing = (
  operation: OperationId,
  note: string,
  parameters: PlannedRequest['parameters'] & object,
  query = '',
): Step => step(operation, query, { note, choose: () => [{ parameters, query }] })

export const plan: readonly Step[] = [
  step('getCurrentMember'),
  step('listMembers'),
  pages('listCustomers', 4),
  pages('listCustomers', 3, 'scope=team&'),
  step('listSignals', `limit=${PAGE}`),
  below('getCustomer', 'listCustomers', 'customerId'),
  below('getSignal', 'listSignals', 'signalId'),
  step('listAutomations'),
  automations,
  logs('listAutomationTriggerLogs', 'triggers', 'triggerId'),
  logs('listAutomationActionLogs', 'actions', 'actionId'),
  step('listBriefs'),
  briefContents,
  step('listCustomFields'),
  step('listMemberRoles'),
  step('listNoteCategories'),
  step('listProducts'),
  below('listProductMetrics', 'listProducts', 'productId', { most: 3 }),
  below('listCustomerNotes', 'listCustomers', 'customerId', { most: 8 }),
  meetings,
  transcript,
  step('listCustomers', 'limit=10', {
    most: 2,
    choose: () => [{ query: 'limit=10' }, { query: 'limit=10' }],
  }),
  step('listCustomers', `limit=1&${NO_STATUS}=1`),
  step('listCustomers', 'limit=0'),
  step('listCustomers', 'limit=1e1'),
  step('listCustomers', 'limit=1&limit=2'),
  step('listCustomers', `memberId=${MAX_INTEGER}&limit=1`),
  statuses('listCustomers', 'customerStatuses'),
  countries('a known one in other case', ([first]) => first && swapCase(first)),
  countries('two known ones with a comma', ([first, second]) => second && `${first},${second}`),
  updatedSince,
  minStartDate,
  missing('listMembers', 'an organization that does not exist', { organizationId: NO_STATUS }),
  missing('getCustomer', 'a customer that does not exist', { customerId: MAX_INTEGER }),
  missing('listCustomerMeetings', 'a customer that does not exist', { customerId: MAX_INTEGER }, 'limit=0'),
  foreign('getCustomer', 'listCustomers', 'customerId'),
  foreign('getMember', 'listMembers', 'memberId'),
]

export const isMember = (answer: Answer): boolean =>
  isSuccess(answer) &&
  readBody(answer).records.some(({ organizationId }) => typeof organizationId === 'string')
