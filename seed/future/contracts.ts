import type { Row } from '../../src/store/tables.ts'
import { DAY, HOUR, addYears, formatDate, parseTime, startOfDay } from '../calendar/time.ts'
import { generateEntries } from '../customers/commercials.ts'
import { keepStart, withStart } from '../customers/contracts.ts'
import { findSegment, findSegmentBySize } from '../customers/segments.ts'
import { weigh } from '../random/fakers.ts'
import { RecordKey } from '../random/record-key.ts'
import { runAutomation } from './automations.ts'
import type { CustomerTimeline } from './customer-timeline.ts'
import { closeSignals } from './signals.ts'

type Entry = Row<'customers'>['products'][number]

export const copyStart = ({ id, dataset }: CustomerTimeline, before: Entry, after: Entry): Entry =>
  keepStart(id, before, after, dataset.seed)

/** The hour (in UTC) at which contracts are renewed or end. */
export const RENEWAL_HOUR = 14

const scheduleRenewal = (timeline: CustomerTimeline, { renewalDate }: Entry): void =>
  timeline.schedule(parseTime(renewalDate) + RENEWAL_HOUR * HOUR, renewContracts)

const lossProbabilities: Readonly<Record<string, number>> = { none: 0.6, low: 0.42, medium: 0.06, high: 0.02 }

export function renewContracts(timeline: CustomerTimeline): void {
  const { customer } = timeline
  if (!customer) return
  const isDue = ({ status, renewalDate }: Entry) =>
    status !== 'churned' && parseTime(renewalDate) <= timeline.nowMs
  if (!customer.products.some(isDue)) return
  const faker = timeline.createKey('renewal').faker('decision')
  const products = customer.products.map((entry): Entry => {
    if (!isDue(entry)) return entry
    const isLost = faker.datatype.boolean(lossProbabilities[entry.engagement.level] ?? 0.1)
    if (isLost) {
      const level = { level: 'none' }
      return copyStart(timeline, entry, {
        ...entry,
        status: 'churned',
        arr: 0,
        engagement: level,
        upsell: level,
        metrics: [],
      })
    }
    const isExpansion = entry.engagement.level === 'high' && faker.datatype.boolean(0.3)
    const factor = isExpansion
      ? faker.number.float({ min: 1.12, max: 1.4 })
      : faker.number.float({ min: 1.03, max: 1.08 })
    const renewed: Entry = {
      ...entry,
      status: 'active',
      arr: Math.round((entry.arr * factor) / 100) * 100,
      renewalDate: formatDate(addYears(parseTime(entry.renewalDate), 1)),
    }
    scheduleRenewal(timeline, renewed)
    return copyStart(timeline, entry, renewed)
  })
  timeline.update({ products })
  if (products.every(({ status }) => status === 'churned')) closeSignals(timeline)
}

export function buyProduct(timeline: CustomerTimeline): void {
  const { customer, account, dataset } = timeline
  if (!customer || !account) return
  const key = timeline.createKey('purchase')
  const product = account.others[0] && key.faker('product').helpers.arrayElement([...account.others])
  if (!product) return
  const segment = findSegment(customer.segment) ?? findSegmentBySize(customer.employeeCount)
  if (!segment) return
  const buyer = {
    id: timeline.id,
    seed: dataset.seed,
    key,
    stage: 'onboarding' as const,
    segment,
    employees: customer.employeeCount,
    nowMs: timeline.nowMs,
  }
  const [bought] = generateEntries([product], buyer)
  if (!bought) return
  const startMs = startOfDay(timeline.nowMs)
  const entry = withStart({ ...bought, renewalDate: formatDate(addYears(startMs, 1)) }, startMs)
  const isFirst = customer.products.length === 0
  const order = account.catalog.products.map(({ row }) => row.key)
  const products = [...customer.products, entry].toSorted(
    (a, b) => order.indexOf(a.key) - order.indexOf(b.key),
  )
  timeline.update({ products, ...(isFirst && { memberRoles: assignRoles(timeline, customer) }) })
  scheduleRenewal(timeline, entry)
  const days = key.faker('rollout').number.int({ min: 45, max: 95 })
  timeline.schedule(timeline.nowMs + days * DAY, (later) => goLive(later, entry.key))
  if (isFirst) runAutomation(timeline, 3, 60_000)
}

function assignRoles(
  timeline: CustomerTimeline,
  customer: Row<'customers'>,
): Row<'customers'>['memberRoles'] {
  const { catalog } = timeline
  const faker = timeline.createKey('team').faker('members')
  return catalog.memberRoles.flatMap((role) => {
    const present = customer.memberRoles.find(({ key }) => key === role.key)
    if (present || (role.key !== 'csm' && role.key !== 'implementationLead')) return present ?? []
    const holder = timeline.chooseHolder(timeline.listHolders(role.key), faker)
    return holder ? [{ key: role.key, memberIds: [holder.id] }] : []
  })
}

export function goLive(timeline: CustomerTimeline, productKey: string): void {
  const { customer } = timeline
  const before = customer?.products.find(({ key, status }) => key === productKey && status === 'onboarding')
  if (!customer || !before) return
  const faker = new RecordKey(timeline.dataset.seed, 'future launches', timeline.id).faker(productKey)
  const level = faker.helpers.weightedArrayElement(weigh({ low: 2, medium: 5, high: 3 }))
  const active = copyStart(timeline, before, { ...before, status: 'active', engagement: { level } })
  const now = formatDate(timeline.nowMs)
  timeline.update({
    products: customer.products.map((entry) => (entry === before ? active : entry)),
    customFields: customer.customFields.map((field) =>
      field.key === 'goLiveDate' ? { ...field, value: now } : field,
    ),
  })
}
