/** How deep JSON may be nested, so that no code that walks it runs out of stack. */
export const MAX_DEPTH = 200

/** What is wrong with JSON that is nested deeper. */
export const nestedTooDeep = `must not be nested more than ${MAX_DEPTH} levels deep`

/** Says whether a value is nested no deeper than so many levels; a value that contains itself is not. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1))
}

const [quote, backslash] = [0x22, 0x5c]
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/** Says whether JSON text is nested too deep, in one pass over it, before it is parsed. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isInString && code === backslash) at += 1
    else if (code === quote) isInString = !isInString
    else if (isInString) continue
    else if (opening.has(code)) depth += 1
    else if (closing.has(code)) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
