import meetingTexts from '../texts/meetings.json' with { type: 'json' }
import { listSlots, type Facts } from '../texts/templates.ts'

/** The kinds of meetings. */
export type MeetingKindId = keyof typeof meetingTexts.kinds

/** How the topics of each kind begin, or what they contain. The first match decides. */
const patterns: readonly (readonly [MeetingKindId, RegExp])[] = [
  ['kickoff', /^(?:Project )?Kick-?off/i],
  ['onboarding', /^(?:Onboarding|Go-live)/i],
  ['training', /^(?:Training|Refresher)/i],
  ['executive', /^Executive/i],
  ['checkIn', /check-in/i],
  ['escalation', /^(?:Escalation|Incident)/i],
  ['discovery', /^Discovery/i],
  ['demo', /^(?:Introduction|Demo)/i],
  ['integration', /^(?:Integration|Connecting)/i],
  ['offboarding', /^(?:Offboarding|Data handover)/i],
  ['renewal', /renewal/i],
  ['roadmap', /roadmap/i],
  ['review', /review/i],
]

/** Detects the kind of meeting from its topic; a check-in by default. */
export const detectKind = (topic: string): MeetingKindId =>
  patterns.find(([, pattern]) => pattern.test(topic))?.[0] ?? 'checkIn'

/** Extracts the subject of a topic: the part after its colon, or the whole topic. */
export function extractSubject(topic: string): string {
  const subject = topic.slice(topic.indexOf(':') + 1).trimStart()
  return subject === '' ? topic : subject
}

/** The longest text that counts as the value of a slot. Units: characters. */
const LONGEST = 100

/**
 * Reads the facts from a text that begins as a template does, in linear time. Slots with known values must have them.
 * Shape: undefined if the text does not fit the template.
 */
export function readFacts(template: string, text: string, given: Facts): Facts | undefined {
  const facts: Record<string, string | number> = {}
  const [first = '', ...literals] = template.split(/\{\{\w+\}\}/)
  if (!text.startsWith(first)) return undefined
  let position = first.length
  for (const [index, slot] of listSlots(template).entries()) {
    const literal = literals[index] ?? ''
    const fact = facts[slot] ?? given[slot]
    const end =
      literal === ''
        ? text.length
        : fact === undefined
          ? text.slice(0, position + LONGEST + literal.length).indexOf(literal, position + 1)
          : position + String(fact).length
    const value = text.slice(position, end)
    if (end <= position || end - position > LONGEST || (fact !== undefined && value !== String(fact)))
      return undefined
    if (!text.startsWith(literal, end)) return undefined
    facts[slot] = value
    position = end + literal.length
  }
  return facts
}
