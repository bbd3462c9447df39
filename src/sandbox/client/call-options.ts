/** The options of a single call. */
export interface CallOptions {
  /** Aborts the request. Default: none. @example AbortSignal.timeout(5_000) */
  readonly signal?: AbortSignal
  /** More headers; the client sets Authorization itself. Default: none. @example { prefer: 'code=503' } */
  readonly headers?: Readonly<Record<string, string>>
}

/** A page of a list. */
export interface Page<Item> {
  /** The records of the page. Order: by id, or newest first. */
  items: Item[]
  /** The number of matches before pagination. */
  totalCount: number
}
