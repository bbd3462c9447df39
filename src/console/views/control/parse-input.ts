/** Parses a number. Returns other text unchanged, for the control plane to reject, and undefined for empty text. */
export function parseNumber(text: string): number | string | undefined {
  const given = text.trim()
  if (given === '') return undefined
  const value = Number(given)
  return Number.isNaN(value) ? given : value
}

/** Parses JSON. Returns other text unchanged, and undefined for empty text. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Parses lines of names and values, trimmed; skips empty lines. */
export function parsePairs(
  text: string,
  separator: string,
): readonly (readonly [name: string, value: string])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [name = '', ...value] = line.split(separator)
    return [name.trim(), value.join(separator).trim()]
  })
}

/** Omits undefined and empty values. */
export function omitEmpty(body: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== ''))
}
