import type { Stage } from './stages.ts'

/** The people, things and figures of one meeting, which its topic, summary and next steps share. */
export interface MeetingFacts {
  readonly customer: string
  readonly organization: string
  readonly product: string
  readonly users: string
  readonly purpose: string
  readonly wish: string
  readonly trouble: string
  readonly contact: string
  readonly other: string
  readonly host: string
  readonly system: string
  readonly percent: number
  readonly count: number
  readonly weeks: number
  readonly day: string
  readonly month: string
  readonly quarter: string
  /** The quarter that a review covers. */
  readonly lastQuarter: string
}

type Told = (facts: MeetingFacts) => string

/** A kind of meeting: everything that topic, summary and next steps must agree on. */
export interface MeetingKind {
  readonly id: MeetingKindId
  readonly stages: readonly Stage[]
  /** The product that it is about: one that the customer has, or an `other` one. */
  readonly about: 'own' | 'other'
  readonly minutes: readonly number[]
  readonly topics: readonly Told[]
  readonly summaries: readonly Told[]
  readonly steps: readonly Told[]
}

/** The kinds of meetings. */
export type MeetingKindId =
  | 'kickoff'
  | 'onboarding'
  | 'training'
  | 'checkIn'
  | 'review'
  | 'renewal'
  | 'escalation'
  | 'roadmap'
  | 'executive'
  | 'introduction'
  | 'integration'
  | 'offboarding'

const beginnings: Readonly<Record<MeetingKindId, RegExp>> = {
  kickoff: /^Kick-?off/i,
  onboarding: /^(?:Onboarding|Go-live)/i,
  training: /^(?:Training|Refresher)/i,
  checkIn: /check-in/i,
  review: /review/i,
  renewal: /renewal/i,
  escalation: /^(?:Escalation|Incident)/i,
  roadmap: /roadmap/i,
  executive: /^Executive/i,
  introduction: /^(?:Introduction|Demo|Discovery)/i,
  integration: /^(?:Integration|Connecting)/i,
  offboarding: /^(?:Offboarding|Data handover)/i,
}

/** Detects the kind of meeting from its topic; a check-in by default. */
export function detectKind(topic: string): MeetingKindId {
  return kindIds.find((id) => beginnings[id].test(topic)) ?? 'checkIn'
}

const kindIds = Object.keys(beginnings).filter((id): id is MeetingKindId => id in beginnings)

/** Extracts the subject of a topic: the part after its colon, or the whole topic. */
export function extractSubject(topic: string): string {
  const subject = topic.slice(topic.indexOf(':') + 1).trimStart()
  return subject === '' ? topic : subject
}
