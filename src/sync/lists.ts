import { getOrCreate } from '../core/maps.ts'
import { applyOrder } from '../resources/contract.ts'
import type { Row } from '../store/tables.ts'
import type { State } from './history.ts'
import type { Read } from './reads.ts'

/** The places of the records in a list, by their ids. Order: as in the list. */
export type Places = ReadonlyMap<number, number>

export interface ListOptions {
  /** Whether records before the cursor count as well. */
  readonly withoutCursor?: boolean
}

/** The lists of a client's requests at any moment, as the service has them without scenarios. */
export class Lists {
  readonly #caller: Row<'members'>
  readonly #places = new Map<string, Places>()

  constructor(caller: Row<'members'>) {
    this.#caller = caller
  }

  /** Returns the places of the records in the list of a request, at the moment of the request or at another one. */
  find(read: Read, state: State = read.state, { withoutCursor = false }: ListOptions = {}): Places {
    const key = `${state.index} ${withoutCursor ? read.family : read.list}`
    return getOrCreate(
      this.#places,
      key,
      () => new Map(this.#list(read, state, withoutCursor).map((id, place) => [id, place])),
    )
  }

  #list({ delivery, address }: Read, { data, at }: State, withoutCursor: boolean): readonly number[] {
    if (!address) return []
    const { endpoint, settings } = delivery
    const caller = data.get('members', this.#caller.id) ?? this.#caller
    const { path } = address
    const query = withoutCursor
      ? { ...address.query, updatedSince: undefined, minStartDate: undefined }
      : address.query
    const record = endpoint.find?.({ path, caller, data, settings })
    if (endpoint.find && !record) return []
    const call = { path, query, body: undefined, record, caller, data, settings }
    const result = endpoint.handle({ ...call, now: () => at })
    if ('make' in result) return []
    const ordered = applyOrder(settings, endpoint, result)
    return 'page' in ordered ? ordered.page(0, ordered.total).map(({ id }) => id) : [ordered.id]
  }
}
