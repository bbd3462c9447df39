import type { Stage } from './stages.ts'

/** The people, things and figures of one meeting: its topic, summary and next steps are told from the same ones. */
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
  /** The quarter that a review looks back on. */
  readonly lastQuarter: string
}

type Told = (facts: MeetingFacts) => string

/** A kind of meeting: everything that topic, summary and next steps must agree on. */
export interface MeetingKind {
  readonly id: MeetingKindId
  readonly stages: readonly Stage[]
  /** Which of the customer's products it is about; `other` is one that it does not have. */
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

/** The kind of meeting that a topic tells; a check-in where it tells none. */
export function kindOfTopic(topic: string): MeetingKindId {
  return kindIds.find((id) => beginnings[id].test(topic)) ?? 'checkIn'
}

const kindIds = Object.keys(beginnings).filter((id): id is MeetingKindId => id in beginnings)

/** The subject of a topic: the part behind its colon, else the whole topic. */
export function subjectOf(topic: string): string {
  const subject = topic.slice(topic.indexOf(':') + 1).trimStart()
  return subject === '' ? topic : subject
}
