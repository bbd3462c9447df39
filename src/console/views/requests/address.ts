import { addressOf, place } from '../../place.ts'

/** The address of a request beside the list as it is filtered; of the list alone without an id. */
export function addressOfRequest(id?: number): string {
  return addressOf('requests', id === undefined ? [] : [`${id}`], place.value.query)
}
