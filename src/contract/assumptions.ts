/** One gap of the document and how the sandbox fills it. */
export interface Assumption {
  /** What the document leaves open. */
  readonly subject: string
  /** What the sandbox does. */
  readonly decision: string
  /** Why this and not something else. */
  readonly because: string
}

/**
 * Every gap of the document that the sandbox fills, by id.
 * An assumption fills a gap; it never contradicts the document.
 */
export const assumptions = {
  'A-01': {
    subject: 'Body of paginated lists whose shape is not shown',
    decision: '{ items, totalCount }, totalCount being the number of matches before pagination',
    because: 'the four lists whose shape is shown have this envelope',
  },
  'A-02': {
    subject: 'Body of lists without pagination',
    decision: 'a JSON array',
    because: 'the document says "list of" and names no envelope',
  },
  'A-03': {
    subject: 'Order of list entries',
    decision: 'by id ascending; logs and brief contents newest first, ties by higher id first',
    because: 'pages are only useful over a stable total order',
  },
  'A-04': {
    subject: 'Which refusal wins when several apply',
    decision:
      'unknown session 404, fault, 401, unknown path 404, 405, 403, path 400, query 400, record 404, 413, 415, body 400',
    because: 'who asks comes before what is asked, and the address before the body',
  },
  'A-05': {
    subject: 'Error body and status codes',
    decision: 'RFC 9457 application/problem+json with code, and errors[] for 400',
    because: 'it is the standard for JSON services',
  },
  'A-06': {
    subject: 'Answer to a violated parameter bound or a missing paired parameter',
    decision: '400 invalid_request that names the parameter',
    because: 'most services answer malformed input with 400',
  },
  'A-07': {
    subject: "A path's organization that is not the caller's, or does not exist",
    decision: '403 forbidden',
    because: 'the path is understood, and it must not tell which organizations exist',
  },
  'A-08': {
    subject: 'A record that does not exist, or belongs to another customer or organization',
    decision: '404 not_found',
    because: 'other tenants must be indistinguishable from nothing',
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
    subject: 'Who is under a shared manager',
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
    subject: 'Spelling of integers on the wire',
    decision: 'decimal digits only, leading zeros allowed',
    because: 'any laxer reading hides client errors',
  },
  'A-17': {
    subject: 'HTTP beyond GET and POST',
    decision:
      'HEAD as GET; CORS for every origin; POST takes application/json in UTF-8, not compressed, else 415; bodies up to 1 MiB, else 413',
    because: 'it is what an HTTP client may expect of a JSON service',
  },
  'A-18': {
    subject: 'Customer notes: query of the list, shape, request',
    decision:
      'the list takes pagination; a note is id, customerId, category, content, createdById, createdDate, updatedDate; the request is { categoryId, content }, content 1 to 10,000 Unicode code points; unknown members are a 400',
    because: 'note categories are documented "for use when creating a note"',
  },
  'A-19': {
    subject: 'Automation summary, and which automations the list holds',
    decision: 'id, name, deactivatedDate; the list holds those that are no child of another',
    because: 'children are shown inside their parent',
  },
  'A-20': {
    subject: 'Action log entry',
    decision: 'as a trigger log entry',
    because: 'the two lists differ only in what they log',
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
  'A-25': { subject: 'Product', decision: 'id, key, name', because: 'Signal has productId and productKey' },
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
    decision: 'as MeetingPerson',
    because: 'users and contacts share one type in the field list',
  },
  'A-29': {
    subject: 'Transcript line',
    decision: 'speaker, text, startSeconds, endSeconds',
    because: '"lines in order" needs who, what and when',
  },
  'A-30': {
    subject: "Triggers and actions of an automation's children",
    decision: 'each has id, as at the top',
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
    decision: 'every digit counts, those beyond the millisecond too',
    because: 'the document bounds the digits nowhere',
  },
  'A-34': {
    subject: 'A memberId or memberRoleId that nobody has',
    decision: 'an empty list',
    because: 'a filter that matches nothing is no error',
  },
  'A-35': {
    subject: 'Timestamps in answers',
    decision: 'ISO 8601 in UTC with milliseconds and Z',
    because: 'the same form as the documented query format',
  },
  'A-36': {
    subject: 'Rate limits',
    decision: 'none, unless a fault asks for them',
    because: 'a hidden limiter makes tests flaky',
  },
  'A-37': {
    subject: 'Values of open strings (segment, levels, product status, sources)',
    decision: "plausible words; a product's status is active, onboarding or churned",
    because: 'the document gives the type only',
  },
  'A-38': {
    subject: 'Brief definitions and note categories that are not active',
    decision: 'left out of their lists; contents and notes that name them stay',
    because: 'the document says "active" of both lists',
  },
  'A-39': {
    subject: 'Status of an answer that creates',
    decision: '200',
    because: 'the document says so of every operation, though services often answer 201',
  },
} as const satisfies Record<string, Assumption>

/** The id of an assumption, `A-01` and so on. */
export type AssumptionId = keyof typeof assumptions
