import type { Settings } from './choices.ts'

/**
 * An instant in a form that sorts as text, every digit of the second's fraction kept.
 * Source: assumption A-33; seconds are optional in the document's format.
 */
export function sortable(instant: string): string {
  const [, minutes = '', seconds = '00', fraction = ''] =
    /^(.{16})(?::(\d\d)(?:\.(\d+))?)?Z$/.exec(instant) ?? []
  return `${minutes}:${seconds}.${fraction.replace(/(?<!0)0+$/, '')}`
}

/** An instant that others are compared with, as `sortable`; its digits count as assumed. Source: assumption A-33. */
export function comparable(instant: string, digits: Settings['dateFilters']): string {
  return digits === 'exact' ? sortable(instant) : sortable(instant.replace(/(\.\d{3})\d+Z$/, '$1Z'))
}
