import { assumedShapes } from './assumed-shapes.ts'
import { assumedValues } from './assumed-values.ts'
import { type Assumption, oneOf, operations, statusNames } from './choice.ts'
import { customerStatuses, signalStatuses } from './statuses.ts'

/** The lists without pagination; an endpoint of such a list compiles only if it is one of them. */
export const unpaginatedLists = [
  'listMembers',
  'listAutomations',
  'listCustomFields',
  'listMemberRoles',
  'listNoteCategories',
  'listProducts',
  'listProductMetrics',
] as const

export const assumptions = {
  'A-01': {
    subject: 'Body of paginated lists whose shape is not shown',
    decision: '{ items, totalCount }; totalCount counts the matches before pagination',
    because: 'the four lists whose shape is shown have this envelope',
    choice: oneOf('pages', ['envelope', '{ items, totalCount }'], ['array', 'a JSON array']),
  },
  'A-02': {
    subject: 'Body of lists without pagination',
    decision: 'a JSON array',
    because: 'the document says "list of" and names no envelope',
    choice: operations('envelopes', unpaginatedLists, [
      'each is a JSON array',
      'each is { items, totalCount }',
    ]),
  },
  'A-03': {
    subject: 'Order of lists other than logs',
    decision: 'by id ascending, except brief contents, whose order is documented',
    because: 'pages are only useful over a stable total order',
    choice: oneOf('order', ['id', 'by id ascending'], ['newest', 'by id descending']),
  },
  'A-04': {
    subject: 'Which error wins when several apply',
    decision:
      'unknown session 404, fault, 401, unknown path 404, 405, 403, path 400, query 400, record 404, 413, 415, body 400',
    because: 'the caller is checked before the request, and the URL before the body',
    choice: oneOf(
      'refusals',
      ['query', 'an invalid query is reported before a missing record'],
      ['record', 'a missing record is reported before an invalid query'],
    ),
  },
  'A-05': {
    subject: 'Error body and status codes',
    decision: 'RFC 9457 application/problem+json with code, and errors[] for 400',
    because: 'it is the standard for JSON services',
    choice: oneOf(
      'errorFormat',
      ['problem', 'RFC 9457, application/problem+json'],
      ['error', '{ "error": { "code", "message" } }'],
      ['message', '{ "message", "statusCode" }'],
    ),
  },
  'A-06': {
    subject: 'Response to a parameter that is out of bounds or lacks its pair',
    decision: '400 invalid_request that names the parameter',
    because: 'most services reject malformed input with 400',
    choice: oneOf('violationStatus', [400, '400'], [422, '422']),
  },
  'A-07': {
    subject: "A path's organization that is not the caller's, or does not exist",
    decision: '403 forbidden',
    because: 'the path is valid, and the response must not reveal which organizations exist',
    choice: oneOf('otherOrganization', [403, '403'], [404, '404']),
  },
  'A-08': {
    subject: 'A record that does not exist, or belongs to another customer or organization',
    decision: '404 not_found',
    because: 'a client must not learn which records other tenants have',
    choice: oneOf(
      'foreignRecord',
      [404, '404, as for a record that does not exist'],
      [403, '403, which reveals that the record exists'],
    ),
  },
  'A-09': {
    subject: 'Required fields without a value',
    decision:
      'the documented type: "" for texts and dates, the lookup\'s "none" entry for objects; the top of the hierarchy is its own manager',
    because: 'the document marks every field required and most not nullable',
    choice: oneOf(
      'absentValues',
      ['typed', 'the documented type: "", or the "none" entry of a lookup'],
      ['null', 'null'],
    ),
  },
  'A-10': {
    subject: 'Signal status values',
    decision: 'open, inProgress, closed, dismissed',
    because: 'a signal has a closedDate and a dismissalReason, so these states must exist',
    choice: statusNames(
      'signalStatuses',
      signalStatuses,
      ['OPEN', 'IN_PROGRESS', 'CLOSED', 'DISMISSED'],
      ['new', 'active', 'resolved', 'rejected'],
    ),
  },
  'A-11': {
    subject: 'Customer status filter values, and what they select',
    decision:
      'active (some product is active), onboarding (none active, some onboarding), churned (has products, all churned), prospect (no product)',
    because: 'Customer has no status field, but each of its products has one',
    choice: statusNames(
      'customerStatuses',
      customerStatuses,
      ['ACTIVE', 'ONBOARDING', 'CHURNED', 'PROSPECT'],
      ['live', 'implementation', 'lost', 'lead'],
    ),
  },
  'A-12': {
    subject: 'The members under a shared manager',
    decision: "the members with the caller's managerId, the caller included",
    because: 'mine must be part of team',
    choice: oneOf(
      'team',
      ['peers', 'the members under the caller’s manager, the caller included'],
      ['branch', 'the caller’s manager and everyone below, at every level'],
    ),
  },
  'A-13': {
    subject: 'Array query parameters on the wire',
    decision: 'repeated (a=1&a=2), a[]=1 and a[0]=1; mixed forms add up',
    because: 'these are what HTTP clients send by default',
    choice: oneOf(
      'arrayEncoding',
      ['repeat', 'segment=a&segment=b, segment[]=a and segment[0]=a'],
      ['comma', 'the same, and segment=a,b'],
    ),
  },
  'A-14': {
    subject: 'How filter values match and combine',
    decision: 'exact equality; values of one parameter are alternatives, parameters narrow each other',
    because: 'it is what the word "narrows" and the array form suggest',
    choice: oneOf(
      'textMatching',
      ['exact', 'upper and lower case differ'],
      ['anyCase', 'upper and lower case are equal'],
    ),
  },
  'A-15': {
    subject: 'Unknown query parameters',
    decision: 'ignored, and named in a Sandbox-Warning header',
    because: 'services tolerate them, but a client developer wants to know',
    choice: oneOf(
      'unknownParameters',
      ['ignored', 'ignored, with a warning'],
      ['refused', 'rejected with 400'],
    ),
  },
  'A-16': {
    subject: 'Format of integers in requests',
    decision: 'decimal digits only, leading zeros allowed',
    because: 'anything laxer hides client errors',
    choice: oneOf(
      'integers',
      ['digits', 'decimal digits'],
      ['number', 'any notation of a whole number: 1e2, +5, 7.0'],
    ),
  },
  'A-17': {
    subject: 'HTTP beyond GET and POST',
    decision:
      'HEAD as GET; CORS for every origin; POST takes application/json in UTF-8, not compressed, else 415; bodies up to 1 MiB, else 413',
    because: 'an HTTP client may expect this of a JSON service',
    choice: oneOf(
      'cors',
      ['any', 'pages of every origin may call the service'],
      ['none', 'no page of another origin may call the service'],
    ),
  },
  ...assumedShapes,
  'A-31': {
    subject: 'How a token is obtained, its lifetime and scopes',
    decision: 'every member has one visibly fake token that never expires',
    because: 'a sandbox has no sign-in',
  },
  'A-32': {
    subject: "Whether a note changes its customer's updatedDate",
    decision: 'it does not',
    because: 'notes are records of their own',
    choice: oneOf(
      'noteTouches',
      ['nothing', 'a note does not change its customer’s updatedDate'],
      ['customer', 'a note sets its customer’s updatedDate to now'],
    ),
  },
  'A-33': {
    subject: 'Precision of updatedSince and minStartDate',
    decision: 'every digit counts, even beyond milliseconds',
    because: 'the document does not limit the digits',
    choice: oneOf(
      'dateFilters',
      ['exact', 'every digit counts'],
      ['milliseconds', 'digits beyond milliseconds are ignored'],
    ),
  },
  'A-34': {
    subject: 'A memberId or memberRoleId that nobody has',
    decision: 'an empty list',
    because: 'a filter that matches nothing is not an error',
    choice: oneOf(
      'unknownMember',
      ['empty', 'an empty list'],
      ['refused', 'rejected like a parameter that is out of bounds'],
    ),
  },
  'A-35': {
    subject: 'Timestamps in responses',
    decision: 'ISO 8601 in UTC with milliseconds and Z',
    because: 'the same form as the documented query format',
    choice: oneOf(
      'timestamps',
      ['milliseconds', '2026-01-15T12:00:00.000Z'],
      ['seconds', '2026-01-15T12:00:00Z'],
      ['offset', '2026-01-15T12:00:00.000+00:00'],
    ),
  },
  'A-36': {
    subject: 'Rate limits',
    decision: 'none, unless a fault adds them',
    because: 'a hidden limiter makes tests flaky',
  },
  'A-37': {
    subject: 'Values of open strings (segment, levels, product status, sources)',
    decision: "plausible words; a product's status is active, onboarding or churned",
    because: 'the document gives the type only',
    choice: oneOf(
      'openStrings',
      ['words', 'as people write them: Mid-Market'],
      ['codes', 'as codes: MID_MARKET'],
    ),
  },
  'A-38': {
    subject: 'Brief definitions and note categories that are not active',
    decision: 'omitted from their lists; contents and notes that refer to them stay',
    because: 'the document calls both lists "active"',
  },
  'A-39': {
    subject: 'Status of a response that creates a record',
    decision: '200, as the document says of every operation',
    because: 'a real service may respond with 201 all the same',
    choice: oneOf('createStatus', [200, '200, as documented'], [201, '201']),
  },
  'A-40': {
    subject: 'Date header',
    decision: 'the time of the service, to which updatedSince is compared',
    because: 'a client may take its cursor from it',
  },
  ...assumedValues,
} as const satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof assumptions

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const assumptionIds = Object.keys(assumptions) as AssumptionId[]
