// Generated from the schemas by `npm run tables`.

/** The options that a dataset is generated from. */
export interface DatasetFields {
  /** The number that all data is generated from. Default: 42. @example 7 */
  readonly seed?: number | undefined
  /** The number of customers of the first organization; `small` is 25, `medium` 300, `large` 10000. Default: `medium`. @example 'small' */
  readonly size?: 'small' | 'medium' | 'large' | number | undefined
  /** The name of a built-in fixture, or the content of a custom one. Default: `default`. @example { customers: [{ id: 900, name: 'Tern & Co' }] } */
  readonly fixture?: string | Readonly<Record<string, unknown>> | undefined
  /** The time of the frozen clock; `system` starts at the real time and lets the clock run. Default: `2026-01-15T12:00:00.000Z`. @example '2026-03-01T09:00:00Z' */
  readonly now?: string | undefined
  /** Whether the data changes as time passes: `still` or `living`. Default: `still`. @example 'living' */
  readonly future?: 'still' | 'living' | undefined
}
