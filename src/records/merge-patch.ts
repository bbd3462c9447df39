import { invalidRequest } from '../core/errors.ts'
import { formatPath } from '../core/issues.ts'
import { isNestedTooDeep, isObject, nestedTooDeep } from '../core/json.ts'

/** Applies a merge patch to a JSON value. Source: RFC 7396. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

export function patchFields(record: object, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => [name, mergePatch(Reflect.get(record, name), value)]),
  )
}

/** Converts a value to JSON and back, as if it came over HTTP. Errors: invalid_request if JSON cannot represent it. */
export function toJson(value: unknown, path: readonly PropertyKey[] = []): unknown {
  const error = (message: string) => invalidRequest([{ in: 'body', name: formatPath(path), message }])
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw error(cause instanceof RangeError ? nestedTooDeep : 'must be a value that JSON can represent')
  }
  if (text === undefined) return undefined
  if (isNestedTooDeep(text)) throw error(nestedTooDeep)
  return JSON.parse(text)
}
