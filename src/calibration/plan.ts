import { MAX_INTEGER } from '../contract/fields.ts'
import type { OperationId } from '../resources/index.ts'
import { type Answer, isSuccess } from './answers.ts'
import { inOtherCase, minStartDate, PAGE, statuses, updatedSince, withComma } from './plan-filters.ts'
import type { Step } from './plan-step.ts'
import { readBody } from './records.ts'
import { listObjects } from './seen.ts'
import { NO_STATUS } from './words.ts'

type Json = Readonly<Record<string, unknown>>

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

/** Reports whether an automation has a child with triggers or actions. */
const hasChildParts = (answer: Answer): boolean =>
  readBody(answer).records.some(({ children }) =>
    listObjects(children).some(({ triggers, actions }) => isFilled(triggers) || isFilled(actions)),
  )

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

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

const otherOrganization: Step = {
  operation: 'listMembers',
  query: '',
  note: 'an organization that does not exist',
  most: 1,
  choose: () => [{ parameters: { organizationId: NO_STATUS } }],
}

/** Reads a record after the last known one: with luck, it belongs to another organization. */
function foreign(operation: OperationId, parent: OperationId, parameter: string): Step {
  return {
    operation,
    query: '',
    note: 'an id after the last known one',
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
  return {
    operation,
    query,
    note: 'a customer that does not exist',
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
