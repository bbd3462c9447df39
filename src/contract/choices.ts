import { type Choice, oneOf, operations, statusNames } from './choice.ts'
import { customerStatuses, signalStatuses } from './statuses.ts'

/** Every assumption that can be set, by the name under which it is set. */
export const choices = {
  pages: oneOf('A-01', ['envelope', '{ items, totalCount }'], ['array', 'a JSON array']),
  envelopes: operations(
    'A-02',
    [
      'listMembers',
      'listAutomations',
      'listCustomFields',
      'listMemberRoles',
      'listNoteCategories',
      'listProducts',
      'listProductMetrics',
    ],
    ['each is a JSON array', 'each is { items, totalCount }'],
  ),
  order: oneOf('A-03', ['id', 'by id ascending'], ['newest', 'by id descending']),
  refusals: oneOf(
    'A-04',
    ['query', 'a wrong query is told of before a record that is not there'],
    ['record', 'a record that is not there is told of before a wrong query'],
  ),
  errorFormat: oneOf(
    'A-05',
    ['problem', 'RFC 9457, application/problem+json'],
    ['error', '{ "error": { "code", "message" } }'],
    ['message', '{ "message", "statusCode" }'],
  ),
  violationStatus: oneOf('A-06', [400, '400'], [422, '422']),
  otherOrganization: oneOf('A-07', [403, '403'], [404, '404']),
  foreignRecord: oneOf(
    'A-08',
    [404, 'a record of another organization is 404, as one that does not exist'],
    [403, 'a record of another organization is 403'],
  ),
  absentValues: oneOf('A-09', ['typed', 'the documented type: "", or the entry for none'], ['null', 'null']),
  signalStatuses: statusNames(
    'A-10',
    signalStatuses,
    ['OPEN', 'IN_PROGRESS', 'CLOSED', 'DISMISSED'],
    ['new', 'active', 'resolved', 'rejected'],
  ),
  customerStatuses: statusNames(
    'A-11',
    customerStatuses,
    ['ACTIVE', 'ONBOARDING', 'CHURNED', 'PROSPECT'],
    ['live', 'implementation', 'lost', 'lead'],
  ),
  team: oneOf(
    'A-12',
    ['peers', 'the members under the caller’s manager, the caller included'],
    ['branch', 'the caller’s manager and everyone below, on every level'],
  ),
  arrayEncoding: oneOf(
    'A-13',
    ['repeat', 'segment=a&segment=b, segment[]=a and segment[0]=a'],
    ['comma', 'the same, and segment=a,b'],
  ),
  textMatching: oneOf('A-14', ['exact', 'exactly'], ['anyCase', 'in whatever case']),
  unknownParameters: oneOf('A-15', ['ignored', 'ignored, with a warning'], ['refused', 'refused']),
  integers: oneOf(
    'A-16',
    ['digits', 'decimal digits'],
    ['number', 'whatever reads as a whole number: 1e2, +5, 7.0'],
  ),
  cors: oneOf(
    'A-17',
    ['any', 'pages of every origin may call it'],
    ['none', 'no page of another origin may call it'],
  ),
  noteText: oneOf('A-18', ['content', 'content'], ['text', 'text'], ['body', 'body']),
  automationList: oneOf(
    'A-19',
    ['top', 'automations that are no child of another'],
    ['all', 'all automations'],
  ),
  actionLogText: oneOf('A-20', ['message', 'message'], ['detail', 'detail']),
  briefName: oneOf('A-21', ['name', 'name'], ['title', 'title']),
  briefText: oneOf('A-22', ['content', 'content'], ['text', 'text']),
  customFieldType: oneOf('A-23', ['type', 'type'], ['dataType', 'dataType']),
  noteCategoryName: oneOf('A-24', ['name', 'name'], ['label', 'label']),
  productName: oneOf('A-25', ['name', 'name'], ['title', 'title']),
  metricType: oneOf('A-26', ['type', 'type'], ['dataType', 'dataType']),
  subCategoryName: oneOf('A-27', ['name', 'name'], ['label', 'label']),
  contactNames: oneOf('A-28', ['first', 'firstName and lastName'], ['given', 'givenName and familyName']),
  transcriptTimes: oneOf('A-29', ['startSeconds', 'startSeconds and endSeconds'], ['start', 'start and end']),
  childParts: oneOf('A-30', ['objects', 'objects with id'], ['ids', 'ids alone']),
  noteTouches: oneOf(
    'A-32',
    ['nothing', 'a note leaves its customer’s updatedDate'],
    ['customer', 'a note moves its customer’s updatedDate'],
  ),
  dateFilters: oneOf(
    'A-33',
    ['exact', 'every digit counts'],
    ['milliseconds', 'digits beyond the millisecond are cut'],
  ),
  unknownMember: oneOf('A-34', ['empty', 'an empty list'], ['refused', 'refused as a violated bound is']),
  timestamps: oneOf(
    'A-35',
    ['milliseconds', '2026-01-15T12:00:00.000Z'],
    ['seconds', '2026-01-15T12:00:00Z'],
    ['offset', '2026-01-15T12:00:00.000+00:00'],
  ),
  openStrings: oneOf(
    'A-37',
    ['words', 'as people write them: Mid-Market'],
    ['codes', 'as codes: MID_MARKET'],
  ),
  createStatus: oneOf('A-39', [200, '200'], [201, '201']),
} as const

/** The name of an assumption that can be set. */
export type ChoiceName = keyof typeof choices

type ValueOf<C> = C extends Choice<infer V> ? V : never

/** How every assumption that can be set is decided. */
export type Settings = { readonly [N in ChoiceName]: ValueOf<(typeof choices)[N]> }
