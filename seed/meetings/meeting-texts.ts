import meetingTexts from '../texts/meetings.json' with { type: 'json' }
import { splitTemplate, type Facts } from '../texts/templates.ts'

export type MeetingKindId = keyof typeof meetingTexts.kinds

interface KindTexts {
  readonly topics: readonly string[]
  readonly accounts: Readonly<Record<string, readonly string[]>>
  readonly steps: Readonly<Record<string, readonly (readonly string[])[]>>
}

export const kindTexts: Readonly<Record<MeetingKindId, KindTexts>> = meetingTexts.kinds

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

export const detectKind = (topic: string): MeetingKindId =>
  patterns.find(([, pattern]) => pattern.test(topic))?.[0] ?? 'checkIn'

/** Extracts the subject of a topic: the part after its colon, or the whole topic. */
export function extractSubject(topic: string): string {
  const subject = topic.slice(topic.indexOf(':') + 1).trimStart()
  return subject === '' ? topic : subject
}

const MAX_FACT = 100

/**
 * Reads the facts from a text that begins as a template does, in linear time. Slots of the given facts must have them.
 * Shape: undefined if the text does not fit the template.
 */
export function readFacts(template: string, text: string, given: Facts): Facts | undefined {
  const facts: Record<string, string | number | undefined> = {}
  const parts = splitTemplate(template)
  let position = 0
  for (const [place, part] of parts.entries()) {
    if (place % 2 === 0) {
      if (!text.startsWith(part, position)) return undefined
      position += part.length
      continue
    }
    const literal = parts[place + 1] ?? ''
    const fact = facts[part] ?? given[part]
    const end =
      literal === ''
        ? text.length
        : fact === undefined
          ? text.slice(0, position + MAX_FACT + literal.length).indexOf(literal, position + 1)
          : position + String(fact).length
    const value = text.slice(position, end)
    if (end <= position || end - position > MAX_FACT || (fact !== undefined && value !== String(fact))) {
      return undefined
    }
    facts[part] = value
    position = end
  }
  return facts
}
