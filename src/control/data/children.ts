import { known } from '../../resources/records/form.ts'
import type { Item } from './item.ts'
import { remove, removeOfLostParts } from './referrers.ts'
import { type Desk, write, type Written } from './write.ts'

/**
 * Writes a record, and an automation's children along with it. What was a child and is none of those given is deleted.
 * Shape: everything that was written, the record first; empty where that was refused.
 */
export function writeWhole(item: Item, desk: Desk): Written[] {
  return item.table === 'automations'
    ? writeAutomation({ ...item, table: item.table }, desk)
    : some(write(item, desk))
}

function writeAutomation(item: Item<'automations'>, desk: Desk): Written[] {
  const { stage } = desk
  const before = item.id === undefined ? undefined : stage.get('automations', item.id)
  const written = write(item, desk)
  if (!written) return []
  const { id } = written.among
  const row = stage.get('automations', id)
  if (before && row) removeOfLostParts(before, row, stage)
  const { children } = item.given
  if (!children) return [written]
  const within = children.flatMap(({ id: childId, ...given }, index) => {
    const path = [...item.path, 'children', index]
    const child = { table: 'automations', id: childId, rest: 'kept', raw: undefined, path } as const
    const fields = { ...known(given), parentId: id }
    return writeAutomation({ ...child, given: fields, organizationId: undefined }, desk)
  })
  const kept = new Set(within.map(({ among }) => among.id))
  const lost = stage.data.select('automations', [['parentId', id]], (child) => !kept.has(child.id))
  for (const child of lost.page(0, lost.total)) remove('automations', child, stage)
  return [written, ...within]
}

const some = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])
