const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A part of two JSON values: its name or position, and what each has there; undefined if one does not have it. */
export type Pair = readonly [name: string, before: unknown, after: unknown]

const getPart = (value: object, name: string): unknown => Reflect.get(value, name)

const getId = (value: unknown): unknown => (isObject(value) ? getPart(value, 'id') : undefined)

/** Pairs the parts of two JSON values, those of lists by their ids. Order: as in the second, then those that only the first has. */
export function pairParts(before: object, after: object): readonly Pair[] {
  if (!Array.isArray(before) || !Array.isArray(after) || getId(before[0] ?? after[0]) === undefined) {
    const names = new Set([after, before].flatMap(Object.keys))
    return [...names].map((name) => [name, getPart(before, name), getPart(after, name)])
  }
  const rest = new Map(before.map((one: unknown, at) => [getId(one) ?? at, one]))
  const pairs = after.map((one: unknown, at): Pair => {
    const id = getId(one) ?? at
    const old = rest.get(id)
    rest.delete(id)
    return [`${at}`, old, one]
  })
  // An item that only the first has keeps its place there.
  for (const old of rest.values()) {
    const at = before.indexOf(old)
    const place = at === 0 ? 0 : pairs.findIndex((pair) => pair[1] === before[at - 1]) + 1
    pairs.splice(place, 0, [`${at}`, old, undefined])
  }
  return pairs
}
