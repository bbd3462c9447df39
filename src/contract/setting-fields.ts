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
   * - `'none'`: each is a JSON array
   * - `'all'`: each is { items, totalCount }
   * @example 'all'
   */
  readonly envelopes?: Settings['envelopes'] | undefined
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
   * Unknown query parameters. Default: ignored, and named in a Sandbox-Warning header.
   * - `'ignored'`: ignored, with a warning
   * - `'refused'`: rejected with 400
   * @example 'refused'
   */
  readonly unknownParameters?: Settings['unknownParameters'] | undefined
  /**
   * Whether a note changes its customer's updatedDate. Default: it does not.
   * - `'nothing'`: a note does not change its customer’s updatedDate
   * - `'customer'`: a note sets its customer’s updatedDate to now
   * @example 'customer'
   */
  readonly noteTouches?: Settings['noteTouches'] | undefined
  /**
   * Timestamps in responses. Default: ISO 8601 in UTC with milliseconds and Z.
   * - `'milliseconds'`: 2026-01-15T12:00:00.000Z
   * - `'seconds'`: 2026-01-15T12:00:00Z
   * - `'offset'`: 2026-01-15T12:00:00.000+00:00
   * @example 'offset'
   */
  readonly timestamps?: Settings['timestamps'] | undefined
  /**
   * Status of a response that creates a record. Default: 200, as the document says of every operation.
   * - `200`: 200, as documented
   * - `201`: 201
   * @example 201
   */
  readonly createStatus?: Settings['createStatus'] | undefined
}
