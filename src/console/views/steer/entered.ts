/** A number; what is none stays as it is, for the control plane to refuse; undefined where nothing is entered. */
export function numberIn(text: string): number | string | undefined {
  const given = text.trim()
  if (given === '') return undefined
  const value = Number(given)
  return Number.isNaN(value) ? given : value
}

/** JSON, or else the text; undefined where nothing is entered. */
export function jsonIn(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The lines that say something, each a name and a value; the spaces around both are left out. */
export function pairsIn(
  text: string,
  separator: string,
): readonly (readonly [name: string, value: string])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [name = '', ...value] = line.split(separator)
    return [name.trim(), value.join(separator).trim()]
  })
}

/** What of a body says something. */
export function saidIn(body: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== ''))
}
