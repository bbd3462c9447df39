import { generateBriefContent } from '../brief-contents.ts'
import { generateNote } from '../notes.ts'
import { instant } from '../time.ts'
import type { LifeDraft } from './life.ts'

/** Writes a note by a colleague now. */
export function writeNote(life: LifeDraft): void {
  const id = life.nextId('notes')
  if (id === 0 || !life.account) return
  const now = instant(life.nowMs)
  const given = { createdDate: now, updatedDate: now }
  life.put('notes', { ...generateNote(id, given, life.tenant(life.nowMs)), ...given })
}

/** Writes a brief now; its text is generated when it is read. */
export function writeBrief(life: LifeDraft): void {
  const id = life.nextId('briefContents')
  if (id === 0 || !life.account || life.account.catalog.briefs.length === 0) return
  life.put(
    'briefContents',
    generateBriefContent(id, { createdDate: instant(life.nowMs) }, life.tenant(life.nowMs)),
  )
}
