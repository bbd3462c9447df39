// Generated from the schemas by `npm run tables`.

/** A request to preview. */
export interface PreviewFields {
  /** Path and query as a client would send them, with or without `/v1`. @example '/organizations/harbor/customers?scope=mine' */
  readonly path: string
  /** The token of the caller. @example 'sbx_harbor_1' */
  readonly token: string
}

/** A request to explain. */
export interface ExplainFields extends PreviewFields {
  /** The HTTP method, in capitals. Default: `GET`. @example 'POST' */
  readonly method?: string | undefined
  /** The id of the record that should or should not be in the response. Default: the response as a whole is explained. @example 12 */
  readonly id?: number | undefined
}

/** A recorded request to explain. */
export interface ExplainRecordedFields {
  /** The id of a request in the journal, whose recorded response is explained. @example 7 */
  readonly requestId: number
  /** The id of the record that should or should not be in the response. Default: the response as a whole is explained. @example 12 */
  readonly id?: number | undefined
}
