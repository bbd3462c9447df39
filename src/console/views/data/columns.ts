import { type AnyRecord } from './words.ts'

/** The fields that tell most of records that have many. */
const telling: Readonly<Record<string, readonly string[]>> = {
  customers: ['id', 'name', 'segment', 'city', 'country', 'products', 'memberRoles', 'updatedDate'],
  signals: [
    'id',
    'customerId',
    'summary',
    'type',
    'category',
    'status',
    'severity',
    'ownerId',
    'updatedDate',
  ],
  meetings: ['id', 'customerId', 'topic', 'startDate', 'members', 'contacts', 'nextSteps', 'hasTranscript'],
}

/** Which fields of a collection's records a table shows, but for those that are the same in all. */
export function columnsOf(
  collection: string,
  records: readonly AnyRecord[],
  same: readonly string[],
): readonly string[] {
  const fields = Object.keys(records[0] ?? {})
  const shown = telling[collection]?.filter((field) => fields.includes(field)) ?? fields
  return shown.filter((field) => !same.includes(field))
}
