import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import { noTexts, type Texts } from '../store/texts.ts'
import { WrappedData } from '../store/wrapped-data.ts'

type FindRow = <T extends TableName>(table: T, id: number) => Row<T> | undefined

export class PastData extends WrappedData {
  readonly #find: FindRow
  readonly #withTexts: boolean

  /** @param find finds a row that the session has no more. @param withTexts whether long texts are generated; they are empty otherwise */
  constructor(data: Data, find: FindRow, withTexts: boolean) {
    super(data)
    this.#find = find
    this.#withTexts = withTexts
  }

  override get texts(): Texts {
    return this.#withTexts ? this.data.texts : noTexts
  }

  override get<T extends TableName>(table: T, id: number): Row<T> | undefined {
    return this.data.get(table, id) ?? this.#find(table, id)
  }
}
