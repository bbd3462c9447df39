import { as, crawl, openSandbox } from '../support.ts'

/** A small tenant, and everything that its default caller can read. */
export const sandbox = await openSandbox()
export const mara = as(sandbox, 'mara')
export const visits = await crawl(mara)

/** Lists the paths at which the default caller reached an operation; for creating a note, those of the list of notes. */
export function listPaths({ id }: { readonly id: string }): string[] {
  const reader = id === 'createCustomerNote' ? 'listCustomerNotes' : id
  return visits
    .filter(({ operationId }) => operationId === reader)
    .map(({ path }) => path.replace(/\?.*/, ''))
}
