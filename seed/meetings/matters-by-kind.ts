import type texts from '../texts/transcripts.json'
import type { MeetingKindId } from './meeting-texts.ts'

export type MatterId = keyof typeof texts.matters

const running: readonly MatterId[] = [
  ...(['metric', 'signal', 'wish', 'trouble', 'people', 'plans', 'work', 'renewal', 'how', 'goal'] as const),
  ...(['newcomers', 'report', 'cover', 'compare', 'rights', 'worth', 'priorities'] as const),
]
const sales: readonly MatterId[] = [
  ...(['today', 'decision', 'scope', 'want', 'plans', 'proof', 'security', 'trial', 'priorities'] as const),
]
const starting: readonly MatterId[] = [
  ...(['team', 'target', 'scope', 'plans', 'want', 'today', 'rights', 'newcomers', 'cover'] as const),
  'files',
]

export const mattersByKind: Readonly<Record<MeetingKindId, readonly MatterId[]>> = {
  discovery: sales,
  demo: sales,
  kickoff: starting,
  onboarding: starting,
  training: [
    ...(['exercise', 'how', 'wish', 'trouble', 'people', 'plans', 'work', 'newcomers', 'report'] as const),
    ...(['cover', 'compare', 'rights', 'metric'] as const),
  ],
  integration: [
    ...(['files', 'team', 'rights', 'security', 'trouble', 'wish', 'work', 'plans', 'cover'] as const),
    ...(['compare', 'people', 'report'] as const),
  ],
  checkIn: running,
  review: running,
  renewal: [
    ...(['worth', 'decision', 'metric', 'goal', 'plans', 'priorities', 'people', 'work', 'signal'] as const),
    ...(['wish', 'newcomers', 'visit'] as const),
  ],
  roadmap: [
    ...(['wish', 'priorities', 'plans', 'work', 'trouble', 'people', 'report', 'newcomers', 'goal'] as const),
    'compare',
  ],
  executive: [
    ...(['goal', 'worth', 'priorities', 'visit', 'metric', 'plans', 'people', 'renewal', 'signal'] as const),
    ...(['newcomers', 'cover', 'work'] as const),
  ],
  escalation: ['impact', 'timeline', 'cause', 'around', 'informed', 'management', 'afterwards'],
  offboarding: ['handover', 'settings', 'accounts', 'deletion', 'instead'],
}

export const related: readonly (readonly MatterId[])[] = [
  ['metric', 'compare', 'work', 'report', 'how'],
  ['people', 'cover', 'newcomers', 'rights', 'team'],
  ['trouble', 'signal', 'wish', 'priorities'],
  ['goal', 'worth', 'renewal', 'decision'],
  ['scope', 'trial', 'proof'],
]

/** The matters that come up more than once in a meeting, and how often. */
export const rounds: Readonly<Partial<Record<MatterId, number>>> = {
  metric: 9,
  signal: 2,
  wish: 3,
  want: 2,
  trouble: 2,
  how: 2,
  exercise: 3,
}
