import { parseJson } from '../../components/response.tsx'

/** A difference between two bodies; undefined for a value that one of them lacks. */
export interface Difference {
  /** The place, as in `items[0].name`; empty for the whole body. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The number of differences to list. */
const MAX_DIFFERENCES = 20

/** Compares two bodies field by field if they are JSON, or else as text. Returns the first 20 differences. */
export function compareBodies(before = '', after = ''): readonly Difference[] {
  if (before === after) return []
  const [old, now] = [parseJson(before), parseJson(after)]
  if (!old || !now) return [{ path: '', before, after }]
  const found: Difference[] = []
  compare('', old.json, now.json, found)
  return found
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(before, after)) return
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    found.push({ path, before, after })
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    compare(inner, before[key], after[key], found)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
