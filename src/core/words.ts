export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

export const uncapitalize = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

export const shorten = (text: string, most = 40): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

/** Reads the name of a thing as the path of a URL can hold it: short, well-formed, and not a step to another folder. */
export function readName(input: unknown): string {
  const name = String(input)
    .slice(0, 60)
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  return ['', '.', '..'].includes(name) ? `"${name}"` : name
}

/** The parts of a description such as ``The id. Default: none. Example: `7`.`` */
interface Description {
  readonly meaning: string
  readonly byDefault: string | undefined
  readonly example: string | undefined
}

export function splitDescription(text: string): Description {
  const [head = '', example] = text.split(' Example: ')
  const [meaning = '', byDefault] = head.split(' Default: ')
  return { meaning, byDefault: byDefault?.replace(/\.$/, ''), example: example?.replace(/\.$/, '') }
}

/** The widest cell that others are aligned with. Units: characters. */
const MAX_WIDTH = 60

export const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

/** Aligns the cells of lines, and indents the lines. */
export function indentColumns(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.min(MAX_WIDTH, Math.max(...lines.map((line) => line[column]?.length ?? 0))),
  )
  return lines.map((line) => {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return `  ${cells.join('  ').trimEnd()}`
  })
}

export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function enumerate(names: readonly string[], most = 5, separator = ', '): string {
  const rest = names.length - most
  return `${names.slice(0, most).join(separator)}${rest > 0 ? ` and ${rest} more` : ''}`
}

export const formatInteger = (value: number): string =>
  Math.abs(value) < 999
    ? String(Math.round(value))
    : String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')
