import { isObject } from '../core/json.ts'
import type { FieldText } from './texts.ts'

/** The parts of a description such as `The id. Default: none. Example: 7.` */
export interface Description {
  readonly meaning: string | undefined
  readonly byDefault: string | undefined
  /** A value, as JSON or as plain text in a schema, and as TypeScript in `texts.ts`. */
  readonly example: string | undefined
}

export function splitDescription(text: string): Description & { readonly meaning: string } {
  const [head, example] = splitAt(text, ' Example: ')
  const [meaning, byDefault] = splitAt(head, ' Default: ')
  return { meaning, byDefault: withoutPeriod(byDefault), example: withoutPeriod(example) }
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

const withoutPeriod = (text: string | undefined): string | undefined =>
  text?.endsWith('.') ? text.slice(0, -1) : text

export function describeField(property: unknown, text: FieldText | undefined): Description {
  const described = isObject(property) ? property['description'] : undefined
  const parts = typeof described === 'string' ? splitDescription(described) : undefined
  return {
    meaning: parts?.meaning ?? text?.description,
    byDefault: parts?.byDefault ?? text?.default,
    example: text?.example ?? (parts?.example === undefined ? undefined : toExpression(parts.example)),
  }
}

/** Writes the first example of a description, such as `{ "min": 500 }` or `flaky`, as TypeScript. */
function toExpression(example: string): string {
  const [, quoted = example] = example.split('`')
  try {
    return toLiteral(JSON.parse(quoted))
  } catch {
    return toLiteral(quoted)
  }
}

function toLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, one]) => {
    const isName = /^\w+$/.test(key)
    return `${isName ? key : `'${key}'`}: ${toLiteral(one)}`
  })
  return `{ ${entries.join(', ')} }`
}
