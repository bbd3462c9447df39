/** A gap of the document and how the sandbox fills it; an assumption never contradicts the document. */
export interface Assumption {
  readonly subject: string
  readonly decision: string
  readonly because: string
}

export const assumptions = {
  'A-01': {
    subject: 'Body of paginated lists whose shape is not shown',
    decision: '{ items, totalCount }; totalCount counts the matches before pagination',
    because: 'the four lists whose shape is shown have this envelope',
  },
  'A-02': {
    subject: 'Body of lists without pagination',
    decision: 'a JSON array',
    because: 'the document says "list of" and names no envelope',
  },
  'A-03': {
    subject: 'Order of lists other than logs',
    decision: 'by id ascending, except brief contents, whose order is documented',
    because: 'pages are only useful over a stable total order',
  },
  'A-04': {
    subject: 'Which error wins when several apply',
    decision:
      'unknown session 404, fault, 401, unknown path 404, 405, 403, path 400, query 400, record 404, 413, 415, body 400',
    because: 'the caller is checked before the request, and the URL before the body',
  },
  'A-05': {
    subject: 'Error body and status codes',
    decision: 'RFC 9457 application/problem+json with code, and errors[] for 400',
    because: 'it is the standard for JSON services',
  },
  'A-06': {
    subject: 'Response to a parameter that is out of bounds or lacks its pair',
    decision: '400 invalid_request that names the parameter',
    because: 'most services reject malformed input with 400',
  },
  'A-07': {
    subject: "A path's organization that is not the caller's, or does not exist",
    decision: '403 forbidden',
    because: 'the path is valid, and the response must not reveal which organizations exist',
  },
  'A-08': {
    subject: 'A record that does not exist, or belongs to another customer or organization',
    decision: '404 not_found',
    because: 'a client must not learn which records other tenants have',
  },
  'A-09': {
    subject: 'Required fields without a value',
    decision:
      'the documented type: "" for texts and dates, the lookup\'s "none" entry for objects; the top of the hierarchy is its own manager',
    because: 'the document marks every field required and most not nullable',
  },
  'A-10': {
    subject: 'Signal status values',
    decision: 'open, inProgress, closed, dismissed',
    because: 'a signal has a closedDate and a dismissalReason, so these states must exist',
  },
  'A-11': {
    subject: 'Customer status filter values, and what they select',
    decision:
      'active (some product is active), onboarding (none active, some onboarding), churned (has products, all churned), prospect (no product)',
    because: 'Customer has no status field, but each of its products has one',
  },
  'A-12': {
    subject: 'The members under a shared manager',
    decision: "the members with the caller's managerId, the caller included",
    because: 'mine must be part of team',
  },
  'A-13': {
    subject: 'Array query parameters on the wire',
    decision: 'repeated (a=1&a=2), a[]=1 and a[0]=1; mixed forms add up',
    because: 'these are what HTTP clients send by default',
  },
  'A-14': {
    subject: 'How filter values match and combine',
    decision: 'exact equality; values of one parameter are alternatives, parameters narrow each other',
    because: 'it is what the word "narrows" and the array form suggest',
  },
  'A-15': {
    subject: 'Unknown query parameters',
    decision: 'ignored, and named in a Sandbox-Warning header',
    because: 'services tolerate them, but a client developer wants to know',
  },
  'A-16': {
    subject: 'Format of integers in requests',
    decision: 'decimal digits only, leading zeros allowed',
    because: 'anything laxer hides client errors',
  },
  'A-17': {
    subject: 'HTTP beyond GET and POST',
    decision:
      'HEAD as GET; CORS for every origin, with credentials; POST takes application/json in UTF-8, not compressed, else 415; bodies up to 1 MiB, else 413',
    because: 'an HTTP client may expect this of a JSON service',
  },
  'A-18': {
    subject: 'Customer notes: query of the list, shape, request',
    decision:
      'the list takes pagination; a note is id, customerId, category, content, createdById, createdDate, updatedDate; the request is { categoryId, content }, content 1 to 10,000 Unicode code points; unknown fields are a 400',
    because: 'note categories are documented "for use when creating a note"',
  },
  'A-19': {
    subject: 'Automation summary, and which automations the list contains',
    decision: 'id, name, deactivatedDate; the list contains those that are not the child of another',
    because: 'children are shown inside their parent',
  },
  'A-20': {
    subject: 'Action log entry',
    decision: 'same as a trigger log entry',
    because: 'the two logs differ only in what they record',
  },
  'A-21': {
    subject: 'Brief definition',
    decision: 'id, key, name, description',
    because: 'other definitions have id, key and name',
  },
  'A-22': {
    subject: 'Brief content',
    decision: 'id, briefId, customerId, content (Markdown), createdDate',
    because: '"generated contents for the brief on the customer, most recent first" needs these',
  },
  'A-23': {
    subject: 'Custom field definition',
    decision: 'id, key, name, type (text, number, boolean, date, select), options',
    because: 'Customer.customFields has a key and a value of any type',
  },
  'A-24': {
    subject: 'Note category',
    decision: 'id, name',
    because: "the signal's lookups have this form",
  },
  'A-25': {
    subject: 'Product',
    decision: 'id, key, name',
    because: 'Signal has productId and productKey',
  },
  'A-26': {
    subject: 'Product metric',
    decision: 'id, key, name, type (number, percent, text, boolean)',
    because: "a customer's product metrics have a key and a value of any type",
  },
  'A-27': {
    subject: 'Signal subCategory',
    decision: 'id, name',
    because: "the signal's other lookups have this form",
  },
  'A-28': {
    subject: 'Meeting contact',
    decision: 'same as MeetingPerson',
    because: 'users and contacts share one type in the field list',
  },
  'A-29': {
    subject: 'Transcript line',
    decision: 'speaker, text, startSeconds, endSeconds',
    because: '"lines in order" needs who, what and when',
  },
  'A-30': {
    subject: "Triggers and actions of an automation's children",
    decision: 'each has an id, as at the top level',
    because: 'the type is recursive',
  },
  'A-31': {
    subject: 'How a token is obtained, its lifetime and scopes',
    decision: 'every member has one visibly fake token that never expires',
    because: 'a sandbox has no sign-in',
  },
  'A-32': {
    subject: "Whether a note changes its customer's updatedDate",
    decision: 'it does not',
    because: 'notes are records of their own',
  },
  'A-33': {
    subject: 'Precision of updatedSince and minStartDate',
    decision: 'every digit counts, even beyond milliseconds',
    because: 'the document does not limit the digits',
  },
  'A-34': {
    subject: 'A memberId or memberRoleId that nobody has',
    decision: 'an empty list',
    because: 'a filter that matches nothing is not an error',
  },
  'A-35': {
    subject: 'Timestamps in responses',
    decision: 'ISO 8601 in UTC with milliseconds and Z',
    because: 'the same form as the documented query format',
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
  },
  'A-40': {
    subject: 'Date header',
    decision: 'the time of the service, to which updatedSince is compared',
    because: 'a client may take its cursor from it',
  },
  'A-41': {
    subject: 'Signal notes',
    decision: 'null',
    because: 'the document types it as a string, and lists null as the only value',
  },
  'A-42': {
    subject: 'Order of logs',
    decision: 'newest first; logs and brief contents of the same time by higher id first',
    because: 'the document says "most recent first" of brief contents, and a log is read from its end',
  },
  'A-43': {
    subject: 'Which customers are visible in the scope all',
    decision: "all customers of the caller's organization",
    because: 'the document names no permissions of members',
  },
  'A-44': {
    subject: 'Range and direction of severity',
    decision: '1 to 5, of which 5 is the most severe',
    because: 'the document gives the type only',
  },
  'A-45': {
    subject: 'Currency of arr',
    decision: 'US dollars for every customer',
    because: 'the document names no currency, and no field has one',
  },
  'A-46': {
    subject: 'Form of country and region',
    decision: 'English names; a region is a state or province, as in Germany and Bavaria',
    because: 'the document gives the type only',
  },
  'A-47': {
    subject: 'Which records lists contain',
    decision:
      'drafts, meetings to come and deactivated automations are listed; members who have left are not',
    because: 'each has a field that tells it from the others, except a member who has left',
  },
  'A-48': {
    subject: 'Roles, custom fields and metrics without a value',
    decision: 'a role is omitted; a field or a metric is omitted, or its value is null: both occur',
    because: 'the value of a field or metric has any type, and a client has to cope with both',
  },
  'A-49': {
    subject: 'Meaning of isPrimary, form of color',
    decision:
      'isPrimary marks a main signal, of which a customer may have several or none; color is a hexadecimal RGB value like #d64545',
    because: 'the document gives the types only',
  },
  'A-50': {
    subject: 'A parameter for one value that is sent twice or empty',
    decision: 'rejected like a parameter that is out of bounds',
    because: 'a service that takes one of the values hides a mistake of the client',
  },
} as const satisfies Record<string, Assumption>

export type AssumptionId = keyof typeof assumptions

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const assumptionIds = Object.keys(assumptions) as AssumptionId[]
