import type { Period } from '../calendar/calendar.ts'
import { DAY, YEAR } from '../calendar/time.ts'
import { pickForSlot, type Account, type AccountProduct } from '../customers/account.ts'
import { HISTORY, PROSPECTING } from '../customers/history.ts'
import { measureAttention } from '../customers/segments.ts'
import type { Stage } from '../customers/stages.ts'
import type { CatalogProduct } from '../definitions/catalog.ts'
import type { MeetingKindId } from './meeting-texts.ts'

interface MeetingKind {
  readonly stages: readonly Stage[]
  /** By default, the member who is responsible for the customer. */
  readonly host?: 'seller' | undefined
  readonly minutes: readonly number[]
  readonly everyDays: number
  readonly leastAttention?: number
  readonly minEmployees?: number
  period(product: AccountProduct): Period
}

const running: readonly Stage[] = ['growing', 'steady', 'atRisk', 'churned']
const all: readonly Stage[] = ['onboarding', ...running]

const afterStart =
  (from: number, to = Infinity) =>
  ({ startMs, renewalMs, entry }: AccountProduct): Period => ({
    fromMs: startMs + from * DAY,
    toMs: Math.min(startMs + to * DAY, entry.status === 'churned' ? renewalMs : Infinity),
  })

/** Creates the meetings about the next renewal, or about one some years before. */
const aboutRenewal = (yearsAgo: number): MeetingKind => ({
  stages: running,
  host: 'seller',
  minutes: [30, 45],
  everyDays: 57,
  // People meet about it in the weeks before.
  period: ({ startMs, renewalMs, entry }) => {
    const timeMs = renewalMs - (entry.status === 'churned' ? yearsAgo + 1 : yearsAgo) * YEAR
    return { fromMs: Math.max(startMs, timeMs - 120 * DAY), toMs: timeMs - 7 * DAY }
  },
})

const aroundEnd = ({ renewalMs, entry }: AccountProduct): Period =>
  entry.status === 'churned'
    ? { fromMs: renewalMs - 21 * DAY, toMs: renewalMs + 12 * DAY }
    : { fromMs: Infinity, toMs: Infinity }

const kinds: Readonly<Record<Exclude<MeetingKindId, 'discovery'> | 'pastRenewal', MeetingKind>> = {
  checkIn: { stages: running, minutes: [25, 30], everyDays: 165, period: afterStart(100) },
  review: { stages: running, minutes: [60], everyDays: 95, leastAttention: 0.4, period: afterStart(120) },
  renewal: aboutRenewal(0),
  pastRenewal: aboutRenewal(1),
  kickoff: { stages: all, minutes: [45, 60], everyDays: 24, period: afterStart(0, 24) },
  onboarding: { stages: all, minutes: [30, 45], everyDays: 40, period: afterStart(7, 95) },
  training: { stages: all, minutes: [60, 90], everyDays: 330, period: afterStart(20) },
  integration: { stages: all, minutes: [60, 90], everyDays: 450, minEmployees: 25, period: afterStart(10) },
  escalation: {
    stages: ['atRisk', 'steady', 'churned'],
    minutes: [30],
    everyDays: 330,
    period: afterStart(30),
  },
  roadmap: {
    stages: ['growing', 'steady'],
    minutes: [45],
    everyDays: 300,
    leastAttention: 0.4,
    period: afterStart(60),
  },
  executive: {
    stages: ['growing', 'atRisk'],
    minutes: [45, 60],
    everyDays: 170,
    leastAttention: 0.6,
    minEmployees: 200,
    period: afterStart(190),
  },
  demo: { stages: all, host: 'seller', minutes: [30, 45], everyDays: 98, period: afterStart(-110, -12) },
  offboarding: { stages: running, minutes: [30], everyDays: 33, period: aroundEnd },
}

const kindIds = Object.keys(kinds).filter((id): id is keyof typeof kinds => id in kinds)

export interface MeetingPlan extends Period, Pick<MeetingKind, 'host' | 'minutes'> {
  readonly kind: MeetingKindId
  readonly product: (CatalogProduct & Partial<AccountProduct>) | undefined
}

const HORIZON = 24 * DAY

export function listPlans(account: Account, nowMs: number): MeetingPlan[] {
  const lastMs = Math.max(...account.products.map(({ renewalMs }) => renewalMs))
  const isGone = account.stage === 'churned'
  const attention = measureAttention(account.customer)
  const range: Period = {
    fromMs: isGone ? Math.min(lastMs - 200 * DAY, nowMs - HISTORY) : nowMs - HISTORY,
    toMs: nowMs + HORIZON,
  }
  const plans = kindIds.flatMap((id) => {
    const kind = kinds[id]
    const { leastAttention = 0, minEmployees = 0 } = kind
    const isTooSmall = attention < leastAttention || account.customer.employeeCount < minEmployees
    if (isTooSmall || !kind.stages.includes(account.stage)) return []
    return account.products.flatMap((product, place, { length }): MeetingPlan[] => {
      const period = overlap(kind.period(product), range)
      const plan = { kind: id === 'pastRenewal' ? 'renewal' : id, ...kind, product, ...period } as const
      const parts = id === 'review' ? listQuarters(period, place, length) : divide(period, kind.everyDays)
      return parts.map((part) => ({ ...plan, ...part }))
    })
  })
  return [...plans, ...listOffers(account, range, nowMs)].filter(
    ({ fromMs, toMs }) => toMs - fromMs >= 5 * DAY,
  )
}

/** The part of its share of a period in which a meeting can be, so that the next one is not soon after it. */
const LEEWAY = 0.7

function divide({ fromMs, toMs }: Period, everyDays: number): Period[] {
  const count = Math.max(0, Math.round((toMs - fromMs) / DAY / everyDays))
  const share = (toMs - fromMs) / count
  return Array.from({ length: count }, (_, index) => ({
    fromMs: Math.round(fromMs + index * share),
    toMs: Math.round(fromMs + (count === 1 ? 1 : index + LEEWAY) * share),
  }))
}

const REVIEWS = { before: 15 * DAY, after: 30 * DAY } as const

/** Lists the weeks of a period in which a quarter is reviewed: products take turns, one for each quarter. */
function listQuarters(period: Period, place: number, products: number): Period[] {
  const first = new Date(period.fromMs)
  return Array.from({ length: 12 }, (_, index) => {
    const endMs = Date.UTC(first.getUTCFullYear(), Math.floor(first.getUTCMonth() / 3) * 3 + index * 3)
    const isTurn =
      (new Date(endMs).getUTCFullYear() * 4 + new Date(endMs).getUTCMonth() / 3) % products === place
    return isTurn ? overlap({ fromMs: endMs - REVIEWS.before, toMs: endMs + REVIEWS.after }, period) : []
  }).flat()
}

/** Lists the meetings about products that a customer could still buy: one, or two with a prospect. */
function listOffers(account: Account, range: Period, nowMs: number): MeetingPlan[] {
  if (account.stage === 'churned') return []
  const isProspect = account.stage === 'prospect'
  const products = [0, 1].flatMap((slot) => pickForSlot(account, account.others, slot) ?? [])
  const firstMs = Math.min(...account.products.map(({ startMs }) => startMs))
  const fromMs = isProspect ? nowMs - PROSPECTING : firstMs + 60 * DAY
  const period = overlap({ fromMs, toMs: Infinity }, range)
  if (!isProspect)
    return products.slice(0, 1).map((product) => ({ ...kinds.demo, kind: 'demo', product, ...period }))
  // A prospect says what it needs before it sees a demo.
  const middleMs = (period.fromMs + period.toMs) / 2
  return products.flatMap((product): MeetingPlan[] => [
    { ...kinds.demo, kind: 'discovery', product, ...period, toMs: middleMs },
    { ...kinds.demo, kind: 'demo', product, ...period, fromMs: middleMs },
  ])
}

const overlap = (a: Period, b: Period): Period => ({
  fromMs: Math.max(a.fromMs, b.fromMs),
  toMs: Math.min(a.toMs, b.toMs),
})

export function createPlan(kind: MeetingKindId, product: MeetingPlan['product'], nowMs: number): MeetingPlan {
  const { host, minutes } = kind === 'discovery' ? kinds.demo : kinds[kind]
  return { kind, host, minutes, product, fromMs: nowMs - 200 * DAY, toMs: nowMs + HORIZON }
}
