import type { Row } from '../../src/store/tables.ts'
import { welcomePosition } from '../automations/automations.ts'
import { DAY, HOUR, MINUTE, addYears, formatDate, startOfDay } from '../calendar/time.ts'
import { generateEntries } from '../customers/commercials.ts'
import { UPLIFT, computeStart, withStart } from '../customers/contracts.ts'
import { findSegment, findSegmentBySize } from '../customers/segments.ts'
import { drawAt, type RecordHash } from '../random/random.ts'
import { RecordKey, weigh } from '../random/record-key.ts'
import { runAutomation } from './automations.ts'
import type { CustomerTimeline } from './customer-timeline.ts'
import { closeSignals } from './signals.ts'

type Entry = Row<'customers'>['products'][number]

export const copyStart = ({ id, dataset }: CustomerTimeline, before: Entry, after: Entry): Entry =>
  withStart(after, computeStart(id, before, dataset.seed))

/** Finds the time (14:00 in UTC) at which a contract is renewed or ends. Units: milliseconds since 1970. */
export const findRenewal = ({ renewalDate }: Entry): number => Date.parse(renewalDate) + 14 * HOUR

/** Finds the time at which a product goes live that was bought at a time. Units: milliseconds since 1970. */
export const findLaunch = (startMs: number, hash: RecordHash): number =>
  startMs + (60 + drawAt(hash, startMs / DAY) * 50) * DAY

const lossProbabilities: Readonly<Record<string, number>> = { none: 0.6, low: 0.42, medium: 0.06, high: 0.02 }

export function renewContracts(timeline: CustomerTimeline): void {
  const isDue = ({ status, renewalDate }: Entry) =>
    status !== 'churned' && Date.parse(renewalDate) <= timeline.nowMs
  if (!timeline.customer.products.some(isDue)) return
  const faker = timeline.createKey('renewal').faker('decision')
  const products = timeline.customer.products.map((entry): Entry => {
    if (!isDue(entry)) return entry
    if (faker.datatype.boolean(lossProbabilities[entry.engagement.level] ?? 0.1)) {
      const none = { level: 'none' }
      const lost = { arr: 0, engagement: none, upsell: none, metrics: [] }
      return copyStart(timeline, entry, { ...entry, ...lost, status: 'churned' })
    }
    const isExpansion = entry.engagement.level === 'high' && faker.datatype.boolean(0.3)
    const uplift = faker.number.float(isExpansion ? { min: 0.12, max: 0.4 } : UPLIFT)
    const renewed: Entry = {
      ...entry,
      status: 'active',
      arr: Math.round((entry.arr * (1 + uplift)) / 100) * 100,
      renewalDate: formatDate(addYears(Date.parse(entry.renewalDate), 1)),
    }
    timeline.schedule(findRenewal(renewed), renewContracts)
    return copyStart(timeline, entry, renewed)
  })
  timeline.update({ products })
  if (products.every(({ status }) => status === 'churned')) closeSignals(timeline)
}

export function buyProduct(timeline: CustomerTimeline): void {
  const { customer, account, dataset, id, nowMs } = timeline
  if (!account || account.others.length === 0) return
  const key = timeline.createKey('purchase')
  const product = key.faker('product').helpers.arrayElement([...account.others])
  const employees = customer.employeeCount
  const segment = findSegment(customer.segment) ?? findSegmentBySize(employees)
  if (!segment) return
  const buyer = { id, seed: dataset.seed, key, stage: 'onboarding', segment, employees, nowMs } as const
  const [bought] = generateEntries([product], buyer)
  if (!bought) return
  const startMs = startOfDay(nowMs)
  const entry = withStart({ ...bought, renewalDate: formatDate(addYears(startMs, 1)) }, startMs)
  const order = account.catalog.products.map(({ row }) => row.key)
  const products = [...customer.products, entry].toSorted(
    (a, b) => order.indexOf(a.key) - order.indexOf(b.key),
  )
  const isFirst = customer.products.length === 0
  timeline.update({ products, ...(isFirst && { memberRoles: assignRoles(timeline) }) })
  timeline.schedule(findRenewal(entry), renewContracts)
  timeline.schedule(findLaunch(startMs, timeline.hash), (later) => goLive(later, entry.key))
  if (isFirst) runAutomation(timeline, { position: welcomePosition }, MINUTE)
}

function assignRoles(timeline: CustomerTimeline): Row<'customers'>['memberRoles'] {
  const faker = timeline.createKey('team').faker('members')
  return timeline.catalog.memberRoles.flatMap((role) => {
    const present = timeline.customer.memberRoles.find(({ key }) => key === role.key)
    if (present || (role.key !== 'csm' && role.key !== 'implementationLead')) return present ?? []
    const holder = timeline.chooseHolder(role.key, [], faker)
    return holder ? [{ key: role.key, memberIds: [holder.id] }] : []
  })
}

export function goLive(timeline: CustomerTimeline, productKey: string): void {
  const { products, customFields } = timeline.customer
  const before = products.find(({ key, status }) => key === productKey && status === 'onboarding')
  if (!before) return
  const faker = new RecordKey(timeline.dataset.seed, 'future launches', timeline.id).faker(productKey)
  const level = faker.helpers.weightedArrayElement(weigh({ low: 2, medium: 5, high: 3 }))
  const active = copyStart(timeline, before, { ...before, status: 'active', engagement: { level } })
  const now = formatDate(timeline.nowMs)
  timeline.update({
    products: products.map((entry) => (entry === before ? active : entry)),
    customFields: customFields.map((field) =>
      field.key === 'goLiveDate' ? { ...field, value: now } : field,
    ),
  })
}
