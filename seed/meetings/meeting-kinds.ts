import type { Period } from '../calendar/calendar.ts'
import { DAY, YEAR } from '../calendar/time.ts'
import { pickForSlot, type Account, type AccountProduct } from '../customers/account.ts'
import { HISTORY, PROSPECTING } from '../customers/history.ts'
import { measureAttention } from '../customers/segments.ts'
import type { CatalogProduct } from '../definitions/catalog.ts'
import texts from '../texts/meetings.json' with { type: 'json' }
import type { MeetingKindId } from './meeting-texts.ts'

interface MeetingKind {
  readonly stages: readonly string[]
  /** By default, the member who is responsible for the customer. */
  readonly host?: string | undefined
  readonly minutes: readonly number[]
  readonly everyDays: number
  readonly leastAttention?: number
  readonly minEmployees?: number
  /** The days since the first contract began. */
  readonly from?: number
  readonly to?: number
  /** Whether it is about a renewal: the next one, or one some years before. */
  readonly yearsAgo?: number
  /** Whether it is about the end of the contract. */
  readonly isLast?: boolean
}

const kinds: Readonly<Record<keyof typeof texts.plans, MeetingKind>> = texts.plans

/** Finds when meetings of a kind about a product are held. */
function findPeriod(
  { from = 0, to = Infinity, yearsAgo, isLast }: MeetingKind,
  { startMs, renewalMs, entry }: AccountProduct,
): Period {
  const isOver = entry.status === 'churned'
  if (isLast) {
    return isOver
      ? { fromMs: renewalMs - 21 * DAY, toMs: renewalMs + 12 * DAY }
      : { fromMs: Infinity, toMs: Infinity }
  }
  if (yearsAgo !== undefined) {
    // People meet about it in the weeks before.
    const timeMs = renewalMs - (isOver ? yearsAgo + 1 : yearsAgo) * YEAR
    return { fromMs: Math.max(startMs, timeMs - 120 * DAY), toMs: timeMs - 7 * DAY }
  }
  return {
    fromMs: startMs + from * DAY,
    toMs: Math.min(startMs + to * DAY, isOver ? renewalMs : Infinity),
  }
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
      const period = overlap(findPeriod(kind, product), range)
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
