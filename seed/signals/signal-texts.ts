import type { RecordKey } from '../random/record-key.ts'
import { fitsSize, keepFitting } from '../texts/company-size.ts'
import { fillTemplate, listSlots } from '../texts/templates.ts'
import type { SignalFacts } from './signal-facts.ts'
import { additions, agrees, dismissalNotes, outcomes, type Ending, type Story } from './signal-stories.ts'

interface TextSource {
  readonly story: Story
  readonly facts: SignalFacts
  readonly employees: number
  readonly key: RecordKey
  /** The key of the signal that this one repeats, or its own: both have the same summary. */
  readonly original: RecordKey
  readonly isDraft: boolean
  readonly dismissal: string | undefined
  /** The possible ends of a closed signal; none for others. */
  readonly endings: readonly Ending[]
  /** False if the summary is given, which may not fit the story: no other texts are then written. */
  readonly isGenerated: boolean
}

/** Writes the texts of a signal, none of which contradicts those before it. */
export function writeTexts(source: TextSource) {
  const { story, facts, employees, key, original, isGenerated } = source
  const isMisplaced = source.dismissal === 'Wrong customer'
  const choose = (from: RecordKey, purpose: string, texts: readonly string[], before: readonly string[]) => {
    // A signal about another customer names neither this one nor its people.
    const named = isMisplaced ? texts.filter((text) => !namesCustomer(text)) : texts
    const fitting = named.filter((text) => fitsSize(text, employees) && agrees(text, before))
    return fitting.slice(0, 1).map(() => from.faker(purpose).helpers.arrayElement(fitting))
  }
  const isWritten = (purpose: string, likelihood: number): boolean =>
    isGenerated && key.faker(purpose).datatype.boolean(likelihood)
  const chooseSometimes = (
    purpose: string,
    likelihood: number,
    texts: readonly string[],
    before: readonly string[],
  ) => (isWritten(purpose, likelihood) ? choose(key, `${purpose} text`, texts, before) : [])
  // A text without names gets a sentence with some, so that it is not word for word in many records.
  const fill = ([text]: readonly string[], more?: 'explanations' | 'notes' | 'outcomes'): string | null => {
    if (text === undefined) return null
    if (more === undefined || namesPeople(text)) return fillTemplate(text, facts)
    const further = key.faker('more', more).helpers.arrayElement(additions[isMisplaced ? 'misplaced' : more])
    return fillTemplate(`${text} ${further}`, facts)
  }

  const summary = choose(original, 'summary', story.summaries, [])
  const explanation = chooseSometimes('explanation', 0.86, story.explanations, summary)
  const notes = dismissalNotes[source.dismissal ?? ''] ?? story.notes
  const written = [...summary, ...explanation]
  const note = chooseSometimes('note', source.isDraft ? 0.15 : 0.65, notes, written)
  written.push(...note)
  const suitable = source.endings.filter(
    (end) => fitsSize(end.notes, employees) && agrees(end.notes, written),
  )
  const endings = suitable.length > 0 ? suitable : source.endings
  const hasOutcome = endings.length > 0 && isWritten('outcome', 0.9)
  const ending = hasOutcome ? key.faker('ending').helpers.arrayElement(endings) : undefined
  const opportunity = chooseSometimes('opportunity', 1, story.opportunity ?? [], written)
  written.push(...opportunity)
  const outcomeNotes = ending ? chooseSometimes('outcome notes', 0.7, [ending.notes], written) : []
  return {
    summary: fill(summary) ?? fillTemplate(keepFitting(story.summaries, employees)[0] ?? '', facts),
    severityExplanation: fill(explanation, 'explanations'),
    latestNote: fill(note, 'notes'),
    opportunity: fill(opportunity),
    outcome: ending ? outcomes[ending.outcome] : null,
    outcomeNotes: fill(outcomeNotes, 'outcomes'),
  }
}

export const namesCustomer = (text: string): boolean =>
  /\{\{(?:customer|contact|title|other|leaver)\}\}/.test(text)

const people: ReadonlySet<string> = new Set(['contact', 'other', 'leaver'])

const namesPeople = (text: string): boolean => listSlots(text).some((slot) => people.has(slot))
