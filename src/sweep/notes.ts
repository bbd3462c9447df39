import type { SessionHandle } from '../sandbox/session-handle.ts'
import type { TracedRequest } from './schedule.ts'

/** Counts how often each note has been stored through the service. Notes are equal if customer, category and text are. */
export async function countNotes(
  { data }: Pick<SessionHandle, 'data'>,
  trace: readonly TracedRequest[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  if (!trace.some(({ operationId }) => operationId === 'createCustomerNote')) return counts
  const changes = await data.changes()
  const created = changes.filter(({ collection, kind }) => collection === 'notes' && kind === 'created')
  const notes = await Promise.all(created.map(({ id }) => data.notes.get(id)))
  for (const { customerId, category, content } of notes) {
    const note = JSON.stringify({ customerId, categoryId: category.id, content })
    counts.set(note, (counts.get(note) ?? 0) + 1)
  }
  return counts
}
