import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { Texts } from '../store/texts.ts'

const noTexts: Texts = { transcript: () => [], briefContent: () => '', logMessage: () => '' }

/** Adds to a session's data the rows that are gone, so that earlier versions of a record can be presented. */
export class PastData implements Data {
  readonly #data: Data
  readonly #find: <T extends TableName>(table: T, id: number) => Row<T> | undefined

  readonly texts: Texts

  /** @param find finds a row that the session has no more @param withTexts generates long texts; without it, they are empty */
  constructor(
    data: Data,
    find: <T extends TableName>(table: T, id: number) => Row<T> | undefined,
    withTexts: boolean,
  ) {
    this.#data = data
    this.#find = find
    this.texts = withTexts ? data.texts : noTexts
  }

  get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.#data.get(table, id) ?? this.#find(table, id)
  }

  select: Data['select'] = (...parts) => this.#data.select(...parts)
  create: Data['create'] = (...parts) => this.#data.create(...parts)
  hasChanged: Data['hasChanged'] = (names) => this.#data.hasChanged(names)
  isChanged: Data['isChanged'] = (table, id) => this.#data.isChanged(table, id)
  derive: Data['derive'] = (...parts) => this.#data.derive(...parts)
}
