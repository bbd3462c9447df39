/**
 * Converts an instant to a form that sorts as text and keeps all digits.
 * Source: assumption A-33; seconds are optional in the document's format.
 */
export function toSortable(instant: string): string {
  const [, minutes = '', seconds = '00', fraction = ''] =
    /^(.{16})(?::(\d\d)(?:\.(\d+))?)?Z$/.exec(instant) ?? []
  return `${minutes}:${seconds}.${fraction.replace(/(?<!0)0+$/, '')}`
}
