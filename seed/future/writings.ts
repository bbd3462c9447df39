import { instant } from '../calendar/time.ts'
import { generateBriefContent } from '../notes-and-briefs/brief-contents.ts'
import { generateNote } from '../notes-and-briefs/notes.ts'
import type { TimelineBuilder } from './customer-timeline.ts'

/** Writes a note by a colleague now. */
export function writeNote(timeline: TimelineBuilder): void {
  const id = timeline.nextId('notes')
  if (id === 0 || !timeline.account) return
  const now = instant(timeline.nowMs)
  const given = { createdDate: now, updatedDate: now }
  timeline.put('notes', { ...generateNote(id, given, timeline.tenant(timeline.nowMs)), ...given })
}

/** Writes a brief now; its text is generated when it is read. */
export function writeBrief(timeline: TimelineBuilder): void {
  const id = timeline.nextId('briefContents')
  if (id === 0 || !timeline.account || timeline.account.catalog.briefs.length === 0) return
  timeline.put(
    'briefContents',
    generateBriefContent(id, { createdDate: instant(timeline.nowMs) }, timeline.tenant(timeline.nowMs)),
  )
}
