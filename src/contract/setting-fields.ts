// Generated from the schemas by `npm run tables`.

import type { Settings } from './choices.ts'

/** Overrides of some assumptions. */
export interface SettingFields {
  /**
   * Body of paginated lists whose shape is not shown. Default: { items, totalCount }; totalCount counts the matches before pagination.
   * - `'envelope'`: { items, totalCount }
   * - `'array'`: a JSON array
   * @example 'array'
   */
  readonly pages?: Settings['pages'] | undefined
  /**
   * Body of lists without pagination. Default: a JSON array.
   * - `{}`: each is a JSON array
   * - `{'listMembers':true,'listAutomations':true,'listCustomFields':true,'listMemberRoles':true,'listNoteCategories':true,'listProducts':true,'listProductMetrics':true}`: each is { items, totalCount }
   * @example {'listMembers':true,'listAutomations':true,'listCustomFields':true,'listMemberRoles':true,'listNoteCategories':true,'listProducts':true,'listProductMetrics':true}
   */
  readonly envelopes?: Settings['envelopes'] | 'all' | 'none' | undefined
  /**
   * Order of lists other than logs. Default: by id ascending, except brief contents, whose order is documented.
   * - `'id'`: by id ascending
   * - `'newest'`: by id descending
   * @example 'newest'
   */
  readonly order?: Settings['order'] | undefined
  /**
   * Which error wins when several apply. Default: unknown session 404, fault, 401, unknown path 404, 405, 403, path 400, query 400, record 404, 413, 415, body 400.
   * - `'query'`: an invalid query is reported before a missing record
   * - `'record'`: a missing record is reported before an invalid query
   * @example 'record'
   */
  readonly refusals?: Settings['refusals'] | undefined
  /**
   * Error body and status codes. Default: RFC 9457 application/problem+json with code, and errors[] for 400.
   * - `'problem'`: RFC 9457, application/problem+json
   * - `'error'`: { "error": { "code", "message" } }
   * - `'message'`: { "message", "statusCode" }
   * @example 'message'
   */
  readonly errorFormat?: Settings['errorFormat'] | undefined
  /** Response to a parameter that is out of bounds or lacks its pair. Default: 400 invalid_request that names the parameter. One of `400`, `422`. @example 422 */
  readonly violationStatus?: Settings['violationStatus'] | undefined
  /** A path's organization that is not the caller's, or does not exist. Default: 403 forbidden. One of `403`, `404`. @example 404 */
  readonly otherOrganization?: Settings['otherOrganization'] | undefined
  /**
   * A record that does not exist, or belongs to another customer or organization. Default: 404 not_found.
   * - `404`: 404, as for a record that does not exist
   * - `403`: 403, which reveals that the record exists
   * @example 403
   */
  readonly foreignRecord?: Settings['foreignRecord'] | undefined
  /**
   * Required fields without a value. Default: the documented type: "" for texts and dates, the lookup's "none" entry for objects; the top of the hierarchy is its own manager.
   * - `'typed'`: the documented type: "", or the "none" entry of a lookup
   * - `'null'`: null
   * @example 'null'
   */
  readonly absentValues?: Settings['absentValues'] | undefined
  /**
   * Signal status values. Default: open, inProgress, closed, dismissed. One of `['open','inProgress','closed','dismissed']`, `['OPEN','IN_PROGRESS','CLOSED','DISMISSED']`, `['new','active','resolved','rejected']`.
   * @example ['new','active','resolved','rejected']
   */
  readonly signalStatuses?: Settings['signalStatuses'] | undefined
  /**
   * Customer status filter values, and what they select. Default: active (some product is active), onboarding (none active, some onboarding), churned (has products, all churned), prospect (no product). One of `['active','onboarding','churned','prospect']`, `['ACTIVE','ONBOARDING','CHURNED','PROSPECT']`, `['live','implementation','lost','lead']`.
   * @example ['live','implementation','lost','lead']
   */
  readonly customerStatuses?: Settings['customerStatuses'] | undefined
  /**
   * The members under a shared manager. Default: the members with the caller's managerId, the caller included.
   * - `'peers'`: the members under the caller’s manager, the caller included
   * - `'branch'`: the caller’s manager and everyone below, at every level
   * @example 'branch'
   */
  readonly team?: Settings['team'] | undefined
  /**
   * Array query parameters on the wire. Default: repeated (a=1&a=2), a[]=1 and a[0]=1; mixed forms add up.
   * - `'repeat'`: segment=a&segment=b, segment[]=a and segment[0]=a
   * - `'comma'`: the same, and segment=a,b
   * @example 'comma'
   */
  readonly arrayEncoding?: Settings['arrayEncoding'] | undefined
  /**
   * How filter values match and combine. Default: exact equality; values of one parameter are alternatives, parameters narrow each other.
   * - `'exact'`: upper and lower case differ
   * - `'anyCase'`: upper and lower case are equal
   * @example 'anyCase'
   */
  readonly textMatching?: Settings['textMatching'] | undefined
  /**
   * Unknown query parameters. Default: ignored, and named in a Sandbox-Warning header.
   * - `'ignored'`: ignored, with a warning
   * - `'refused'`: rejected with 400
   * @example 'refused'
   */
  readonly unknownParameters?: Settings['unknownParameters'] | undefined
  /**
   * Format of integers in requests. Default: decimal digits only, leading zeros allowed.
   * - `'digits'`: decimal digits
   * - `'number'`: any notation of a whole number: 1e2, +5, 7.0
   * @example 'number'
   */
  readonly integers?: Settings['integers'] | undefined
  /**
   * HTTP beyond GET and POST. Default: HEAD as GET; CORS for every origin; POST takes application/json in UTF-8, not compressed, else 415; bodies up to 1 MiB, else 413.
   * - `'any'`: pages of every origin may call the service
   * - `'none'`: no page of another origin may call the service
   * @example 'none'
   */
  readonly cors?: Settings['cors'] | undefined
  /**
   * Customer notes: query of the list, shape, request. Default: the list takes pagination; a note is id, customerId, category, content, createdById, createdDate, updatedDate; the request is { categoryId, content }, content 1 to 10,000 Unicode code points; unknown fields are a 400. One of `'content'`, `'text'`, `'body'`.
   * @example 'body'
   */
  readonly noteText?: Settings['noteText'] | undefined
  /**
   * Automation summary, and which automations the list contains. Default: id, name, deactivatedDate; the list contains those that are not the child of another.
   * - `'top'`: automations that are not the child of another
   * - `'all'`: all automations
   * @example 'all'
   */
  readonly automationList?: Settings['automationList'] | undefined
  /** Action log entry. Default: same as a trigger log entry. One of `'message'`, `'detail'`. @example 'detail' */
  readonly actionLogText?: Settings['actionLogText'] | undefined
  /** Brief definition. Default: id, key, name, description. One of `'name'`, `'title'`. @example 'title' */
  readonly briefName?: Settings['briefName'] | undefined
  /** Brief content. Default: id, briefId, customerId, content (Markdown), createdDate. One of `'content'`, `'text'`. @example 'text' */
  readonly briefText?: Settings['briefText'] | undefined
  /** Custom field definition. Default: id, key, name, type (text, number, boolean, date, select), options. One of `'type'`, `'dataType'`. @example 'dataType' */
  readonly customFieldType?: Settings['customFieldType'] | undefined
  /** Note category. Default: id, name. One of `'name'`, `'label'`. @example 'label' */
  readonly noteCategoryName?: Settings['noteCategoryName'] | undefined
  /** Product. Default: id, key, name. One of `'name'`, `'title'`. @example 'title' */
  readonly productName?: Settings['productName'] | undefined
  /** Product metric. Default: id, key, name, type (number, percent, text, boolean). One of `'type'`, `'dataType'`. @example 'dataType' */
  readonly metricType?: Settings['metricType'] | undefined
  /** Signal subCategory. Default: id, name. One of `'name'`, `'label'`. @example 'label' */
  readonly subCategoryName?: Settings['subCategoryName'] | undefined
  /**
   * Meeting contact. Default: same as MeetingPerson.
   * - `'first'`: firstName and lastName
   * - `'given'`: givenName and familyName
   * @example 'given'
   */
  readonly contactNames?: Settings['contactNames'] | undefined
  /**
   * Transcript line. Default: speaker, text, startSeconds, endSeconds.
   * - `'startSeconds'`: startSeconds and endSeconds
   * - `'start'`: start and end
   * @example 'start'
   */
  readonly transcriptTimes?: Settings['transcriptTimes'] | undefined
  /**
   * Triggers and actions of an automation's children. Default: each has an id, as at the top level.
   * - `'objects'`: objects with id
   * - `'ids'`: ids only
   * @example 'ids'
   */
  readonly childParts?: Settings['childParts'] | undefined
  /**
   * Whether a note changes its customer's updatedDate. Default: it does not.
   * - `'nothing'`: a note does not change its customer’s updatedDate
   * - `'customer'`: a note sets its customer’s updatedDate to now
   * @example 'customer'
   */
  readonly noteTouches?: Settings['noteTouches'] | undefined
  /**
   * Precision of updatedSince and minStartDate. Default: every digit counts, even beyond milliseconds.
   * - `'exact'`: every digit counts
   * - `'milliseconds'`: digits beyond milliseconds are ignored
   * @example 'milliseconds'
   */
  readonly dateFilters?: Settings['dateFilters'] | undefined
  /**
   * A memberId or memberRoleId that nobody has. Default: an empty list.
   * - `'empty'`: an empty list
   * - `'refused'`: rejected like a parameter that is out of bounds
   * @example 'refused'
   */
  readonly unknownMember?: Settings['unknownMember'] | undefined
  /**
   * Timestamps in responses. Default: ISO 8601 in UTC with milliseconds and Z.
   * - `'milliseconds'`: 2026-01-15T12:00:00.000Z
   * - `'seconds'`: 2026-01-15T12:00:00Z
   * - `'offset'`: 2026-01-15T12:00:00.000+00:00
   * @example 'offset'
   */
  readonly timestamps?: Settings['timestamps'] | undefined
  /**
   * Values of open strings (segment, levels, product status, sources). Default: plausible words; a product's status is active, onboarding or churned.
   * - `'words'`: as people write them: Mid-Market
   * - `'codes'`: as codes: MID_MARKET
   * @example 'codes'
   */
  readonly openStrings?: Settings['openStrings'] | undefined
  /**
   * Status of a response that creates a record. Default: 200, as the document says of every operation.
   * - `200`: 200, as documented
   * - `201`: 201
   * @example 201
   */
  readonly createStatus?: Settings['createStatus'] | undefined
  /**
   * Signal notes. Default: null.
   * - `'null'`: null, unless a signal was arranged with text
   * - `'text'`: text: the latest note of the signal, or else its summary
   * @example 'text'
   */
  readonly signalNotes?: Settings['signalNotes'] | undefined
  /**
   * A parameter for one value that is sent twice or empty. Default: rejected like a parameter that is out of bounds.
   * - `'refused'`: rejected like a parameter that is out of bounds
   * - `'last'`: the last value counts, and an empty one is as if it had not been sent
   * @example 'last'
   */
  readonly singleValues?: Settings['singleValues'] | undefined
}
