import type { Row } from '../../src/store/tables.ts'
import { countries } from '../calendar/places.ts'
import { formatInstant } from '../calendar/time.ts'
import { chooseSurveyScore, limitSurveyScore } from '../customers/custom-fields.ts'
import { findSegmentBySize } from '../customers/segments.ts'
import { getStage } from '../customers/stages.ts'
import { readNumber } from '../dataset/customer-rows.ts'
import { generateBriefContent } from '../notes-and-briefs/brief-contents.ts'
import { generateNote } from '../notes-and-briefs/notes.ts'
import { countMostUsers } from '../texts/company-size.ts'
import { copyStart } from './contracts.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

type Customer = Row<'customers'>

/** Updates one fact of a customer, by default the number of its employees. */
export function updateFacts(timeline: CustomerTimeline): void {
  const faker = timeline.createKey('update').faker('kind')
  const change = faker.helpers.weightedArrayElement([
    { weight: 5, value: changeEmployees },
    { weight: 6, value: changeHealthScore },
    { weight: 2, value: recordSurvey },
    { weight: 1, value: moveToCity },
    { weight: 2, value: makeReference },
  ])
  timeline.update(change(timeline) ?? changeEmployees(timeline))
}

function changeEmployees(timeline: CustomerTimeline): Partial<Customer> {
  const { customer } = timeline
  const faker = timeline.createKey('hire').faker('employees')
  const factor = faker.number.float({ min: 0.95, max: 1.13 })
  const grown = Math.round(customer.employeeCount * factor) + faker.number.int({ min: 0, max: 2 })
  const employeeCount = Math.max(2, grown)
  const present = findSegmentBySize(customer.employeeCount)?.name
  const next = findSegmentBySize(employeeCount)?.name
  // The segment follows the size, unless somebody has chosen another one.
  const follows = present === customer.segment && next !== undefined
  return { employeeCount, segment: follows ? next : customer.segment }
}

const isDefined = ({ catalog }: CustomerTimeline, key: string): boolean =>
  catalog.customFields.some((field) => field.key === key)

const setField = ({ customFields }: Customer, key: string, value: unknown): Partial<Customer> => ({
  customFields: customFields.some((field) => field.key === key)
    ? customFields.map((field) => (field.key === key ? { ...field, value } : field))
    : [...customFields, { key, value }],
})

const drifts: Readonly<Record<string, number>> = { none: -8, low: -5, medium: 1, high: 4 }

function changeHealthScore(timeline: CustomerTimeline): Partial<Customer> | undefined {
  const { customer } = timeline
  const faker = timeline.createKey('score').faker('points')
  if (!isDefined(timeline, 'healthScore') || customer.products.length === 0) return undefined
  const level = customer.products.find(({ status }) => status === 'active')?.engagement.level ?? 'medium'
  const before = readNumber(customer, 'healthScore') ?? 60
  const points = before + (drifts[level] ?? 0) + faker.number.int({ min: -5, max: 5 })
  // Health stays near the last survey, as its score is limited to the health.
  const survey = readNumber(customer, 'npsScore')
  const min = Math.max(2, ((survey ?? 0) - 4) * 10)
  const max = Math.min(99, ((survey ?? 10) + 4) * 10)
  return setField(customer, 'healthScore', Math.min(max, Math.max(min, points)))
}

function recordSurvey(timeline: CustomerTimeline): Partial<Customer> | undefined {
  const { customer } = timeline
  const stage = getStage(customer)
  if (!isDefined(timeline, 'npsScore') || stage === 'prospect' || stage === 'onboarding') return undefined
  const faker = timeline.createKey('survey').faker('answer')
  const score = limitSurveyScore(chooseSurveyScore(stage, faker), readNumber(customer, 'healthScore'))
  return setField(customer, 'npsScore', score)
}

function moveToCity(timeline: CustomerTimeline): Partial<Customer> | undefined {
  const { country, city: present } = timeline.customer
  const places = countries.find(({ name }) => name === country)?.places ?? []
  const others = places.filter(({ city }) => city !== present)
  if (others.length === 0) return undefined
  const { city, region, timezone } = timeline.createKey('move').faker('place').helpers.arrayElement(others)
  return { city, region, timezone }
}

function makeReference(timeline: CustomerTimeline): Partial<Customer> | undefined {
  const { customer } = timeline
  const isHappy = customer.products.some(({ engagement }) => engagement.level === 'high')
  return isDefined(timeline, 'isReference') && isHappy ? setField(customer, 'isReference', true) : undefined
}

const levels = ['low', 'medium', 'high'] as const

/** Moves the use of a product up or down by a level. */
export function shiftUse(timeline: CustomerTimeline): void {
  const { products, employeeCount } = timeline.customer
  const active = products.filter(({ status }) => status === 'active')
  if (active.length === 0) return timeline.update(changeEmployees(timeline))
  const faker = timeline.createKey('use').faker('shift')
  const chosen = faker.helpers.arrayElement(active)
  const place = levels.findIndex((level) => level === chosen.engagement.level)
  // Customer success managers look after low use, so that it mostly rises again.
  const rises = faker.datatype.boolean(place <= 0 ? 0.75 : place === 1 ? 0.5 : 0.2)
  const level = levels[Math.min(2, Math.max(0, place + (rises ? 1 : -1)))] ?? 'medium'
  const scale = (value: number): number => {
    const next = value * (rises ? 1.25 : 0.75)
    if (!Number.isInteger(value)) return Math.round(Math.min(100, next) * 10) / 10
    return Math.min(Math.round(next), value <= 100 ? 100 : Math.max(value, countMostUsers(employeeCount)))
  }
  const metrics = chosen.metrics.map((metric) =>
    typeof metric.value === 'number' ? { ...metric, value: scale(metric.value) } : metric,
  )
  const next = copyStart(timeline, chosen, { ...chosen, engagement: { level }, metrics })
  timeline.update({ products: products.map((entry) => (entry === chosen ? next : entry)) })
}

export function reassignRole(timeline: CustomerTimeline): void {
  const { memberRoles } = timeline.customer
  if (memberRoles.length === 0) return
  const faker = timeline.createKey('handover').faker('role')
  const role = faker.helpers.arrayElement(memberRoles)
  const successor = timeline.chooseHolder(role.key, role.memberIds, faker)
  if (!successor) return
  const memberIds = [successor.id, ...role.memberIds.slice(1)]
  timeline.update({ memberRoles: memberRoles.map((held) => (held === role ? { ...held, memberIds } : held)) })
}

export function writeNote(timeline: CustomerTimeline): void {
  const id = timeline.nextId('notes')
  if (id === 0 || !timeline.account) return
  const now = formatInstant(timeline.nowMs)
  const dates = { createdDate: now, updatedDate: now }
  timeline.put('notes', { ...generateNote(id, dates, timeline.createTenant(timeline.nowMs)), ...dates })
}

export function writeBrief(timeline: CustomerTimeline): void {
  const id = timeline.nextId('briefContents')
  if (id === 0 || !timeline.account || timeline.catalog.briefs.length === 0) return
  const createdDate = formatInstant(timeline.nowMs)
  const tenant = timeline.createTenant(timeline.nowMs)
  timeline.put('briefContents', generateBriefContent(id, { createdDate }, tenant))
}
