/** One thing on which an answer depends. */
export interface ExplainedCondition {
  /** What it is about: `token`, `operation`, `organization`, `scope`, a parameter's or a field's name. */
  readonly name: string
  /** Absent where it is about the answer's records, and none is asked about. */
  readonly holds?: boolean
  readonly text: string
  /** What the request asks for, as a client writes it. */
  readonly asked?: unknown
  /** What the record, or the caller, has there. */
  readonly found?: unknown
  /** How many records of what the path names meet it, whatever else is asked. */
  readonly alone?: number
  /** How many are left by it and by those before it. */
  readonly left?: number
}

/** Where a record stands among those that match. */
export interface ExplainedPlace {
  /** From 0 on. */
  readonly position: number
  /** How many match. */
  readonly total: number
  /** What to ask for so that the record is in the answer, with the same `limit`; absent where there are no pages. */
  readonly offset?: number
}

/** Why an answer is what it is. */
export interface Explanation {
  readonly request: string
  /** Of the answer, if no fault acts. */
  readonly status: number
  /** Whether the record is in the answer; absent where none is asked about. */
  readonly included?: boolean
  /** All of it in one sentence. */
  readonly summary: string
  /** Order: as the service looks at them; a refusal ends them. */
  readonly conditions: readonly ExplainedCondition[]
  /** Absent where no record is asked about, or it does not match. */
  readonly place?: ExplainedPlace
  /** How many match, before pagination; absent where the answer is no list. */
  readonly total?: number
  /** What the answer's `Sandbox-Warning` would say of the request itself. */
  readonly warnings: readonly string[]
}
