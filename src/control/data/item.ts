import { type FieldError, invalidRequest, MAX_LISTED } from '../../contract/errors.ts'
import { pathText } from '../../contract/issues.ts'
import type { GivenChild } from '../../resources/records/automations.ts'
import type { Fields } from '../../resources/records/form.ts'
import { forms } from '../../resources/records/index.ts'
import { inputErrors } from '../../resources/records/input.ts'
import type { TableName } from '../../store/tables.ts'

/** One record to arrange. */
export interface Item<T extends TableName = TableName> {
  readonly table: T
  /** Undefined for the next free one. */
  readonly id: number | undefined
  /** What is not given: drawn, or left as it is. */
  readonly rest: 'drawn' | 'kept'
  /** What was given, as it came. */
  readonly raw: unknown
  /** What was given, parsed. */
  readonly given: Fields<T> & { readonly children?: readonly GivenChild[] | undefined }
  /** Where it stands in the body. */
  readonly path: readonly PropertyKey[]
  /** The organization for a record that nothing else tells the organization of. */
  readonly organizationId: string | undefined
}

/** What is wrong with what was given, gathered so that one answer can name it all. */
export class Refusals {
  /** The first that are wrong: those that an answer lists. */
  readonly #errors: FieldError[] = []
  readonly #names = new Set<string>()

  /** Notes the first thing that is wrong with a field, by its path in an item; the organization may be one of the query. */
  add(item: Pick<Item, 'path' | 'organizationId'>, path: string, message: string): void {
    const isOfQuery = path === 'organizationId' && item.organizationId !== undefined
    const name = isOfQuery ? path : joined(pathText(item.path), path)
    if (this.#names.has(name)) return
    this.#names.add(name)
    if (this.#errors.length < MAX_LISTED)
      this.#errors.push({ in: isOfQuery ? 'query' : 'body', name, message })
  }

  /** Errors: invalid_request with every field that is wrong, where there is one. */
  refuse(): void {
    if (this.#names.size > 0) throw invalidRequest(this.#errors, this.#names.size)
  }
}

function joined(place: string, path: string): string {
  if (place === '' || path === '') return place + path
  return path.startsWith('[') ? `${place}${path}` : `${place}.${path}`
}

type Unparsed = Pick<Item, 'table' | 'id' | 'rest' | 'raw' | 'path' | 'organizationId'>

/** A record as it was given, parsed; undefined where it is not of the collection's form. */
export function parsedItem(item: Unparsed, refusals: Refusals): Item | undefined {
  const { input } = forms[item.table]
  const parsed = input.safeParse(item.raw)
  if (!parsed.success) {
    for (const { name, message } of inputErrors(input, parsed.error.issues)) refusals.add(item, name, message)
    return undefined
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of the item's own table has parsed it
  const given = parsed.data as Item['given']
  if (item.id !== undefined && given.id !== undefined && given.id !== item.id) {
    refusals.add(item, 'id', `must be ${item.id}, the record's own id`)
    return undefined
  }
  return { ...item, id: item.id ?? given.id, given }
}
