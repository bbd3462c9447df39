import type { Row } from '../../src/store/tables.ts'
import { countries } from '../calendar/places.ts'
import { formatInstant } from '../calendar/time.ts'
import { chooseSurveyScore, limitSurveyScore } from '../customers/custom-fields.ts'
import { findSegmentBySize } from '../customers/segments.ts'
import { getStage } from '../customers/stages.ts'
import { findSurveyScore } from '../dataset/customer-rows.ts'
import { generateBriefContent } from '../notes-and-briefs/brief-contents.ts'
import { generateNote } from '../notes-and-briefs/notes.ts'
import { copyStart } from './contracts.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

type Customer = Row<'customers'>

export function updateFacts(timeline: CustomerTimeline): void {
  const { customer } = timeline
  if (!customer) return
  const faker = timeline.createKey('update').faker('kind')
  const change = faker.helpers.weightedArrayElement([
    { weight: 5, value: changeEmployees },
    { weight: 6, value: changeHealthScore },
    { weight: 2, value: recordSurvey },
    { weight: 1, value: moveToCity },
    { weight: 2, value: makeReference },
  ])
  timeline.update(change(customer, timeline))
}

function changeEmployees(customer: Customer, timeline: CustomerTimeline): Partial<Customer> {
  const faker = timeline.createKey('hire').faker('employees')
  const factor = faker.number.float({ min: 0.95, max: 1.13 })
  const employeeCount = Math.max(
    2,
    Math.round(customer.employeeCount * factor) + faker.number.int({ min: 0, max: 2 }),
  )
  const present = findSegmentBySize(customer.employeeCount)?.name
  const next = findSegmentBySize(employeeCount)?.name
  // The segment follows the size, unless somebody has chosen another one.
  const follows = present === customer.segment && next !== undefined
  return { employeeCount, segment: follows ? next : customer.segment }
}

const setField = (customer: Customer, key: string, value: unknown): Partial<Customer> => ({
  customFields: customer.customFields.some((field) => field.key === key)
    ? customer.customFields.map((field) => (field.key === key ? { ...field, value } : field))
    : [...customer.customFields, { key, value }],
})

const drifts: Readonly<Record<string, number>> = { none: -8, low: -5, medium: 1, high: 4 }

function changeHealthScore(customer: Customer, timeline: CustomerTimeline): Partial<Customer> {
  const faker = timeline.createKey('score').faker('points')
  const previous = customer.customFields.find(({ key }) => key === 'healthScore')?.value
  const isDefined = timeline.catalog?.customFields.some(({ key }) => key === 'healthScore')
  if (!isDefined || customer.products.length === 0) return changeEmployees(customer, timeline)
  const level = customer.products.find(({ status }) => status === 'active')?.engagement.level ?? 'medium'
  const before = typeof previous === 'number' ? previous : 60
  const points = before + (drifts[level] ?? 0) + faker.number.int({ min: -5, max: 5 })
  // Health stays near the last survey, as its score is limited to the health.
  const survey = findSurveyScore(customer)
  const min = Math.max(2, ((survey ?? 0) - 4) * 10)
  const max = Math.min(99, ((survey ?? 10) + 4) * 10)
  return setField(customer, 'healthScore', Math.min(max, Math.max(min, points)))
}

function recordSurvey(customer: Customer, timeline: CustomerTimeline): Partial<Customer> {
  const isDefined = timeline.catalog?.customFields.some(({ key }) => key === 'npsScore')
  const stage = getStage(customer)
  const isTooEarly = stage === 'prospect' || stage === 'onboarding'
  if (!isDefined || isTooEarly) return changeEmployees(customer, timeline)
  const faker = timeline.createKey('survey').faker('answer')
  const health = customer.customFields.find(({ key }) => key === 'healthScore')?.value
  return setField(customer, 'npsScore', limitSurveyScore(chooseSurveyScore(stage, faker), health))
}

function moveToCity(customer: Customer, timeline: CustomerTimeline): Partial<Customer> {
  const places = countries.find(({ name }) => name === customer.country)?.places ?? []
  const others = places.filter(({ city }) => city !== customer.city)
  if (others.length === 0) return changeEmployees(customer, timeline)
  const { city, region, timezone } = timeline.createKey('move').faker('place').helpers.arrayElement(others)
  return { city, region, timezone }
}

function makeReference(customer: Customer, timeline: CustomerTimeline): Partial<Customer> {
  const isDefined = timeline.catalog?.customFields.some(({ key }) => key === 'isReference')
  const isHappy = customer.products.some(({ engagement }) => engagement.level === 'high')
  return isDefined && isHappy ? setField(customer, 'isReference', true) : changeEmployees(customer, timeline)
}

const levels = ['low', 'medium', 'high'] as const

export function shiftUse(timeline: CustomerTimeline): void {
  const { customer } = timeline
  const active = customer?.products.filter(({ status }) => status === 'active') ?? []
  if (!customer || active.length === 0) return updateEmployees(timeline)
  const faker = timeline.createKey('use').faker('shift')
  const chosen = faker.helpers.arrayElement(active)
  const place = levels.findIndex((level) => level === chosen.engagement.level)
  // Customer success managers look after low use, so that it mostly rises again.
  const rises = faker.datatype.boolean(place <= 0 ? 0.75 : place === 1 ? 0.5 : 0.2)
  const level = levels[Math.min(2, Math.max(0, place + (rises ? 1 : -1)))] ?? 'medium'
  const factor = rises ? 1.25 : 0.75
  const metrics = chosen.metrics.map((metric) =>
    typeof metric.value === 'number' ? { ...metric, value: scale(metric.value, factor, customer) } : metric,
  )
  const next = copyStart(timeline, chosen, { ...chosen, engagement: { level }, metrics })
  timeline.update({ products: customer.products.map((entry) => (entry === chosen ? next : entry)) })
}

function scale(value: number, factor: number, { employeeCount }: Customer): number {
  const next = value * factor
  if (!Number.isInteger(value)) return Math.round(Math.min(100, next) * 10) / 10
  return value <= 100
    ? Math.min(100, Math.round(next))
    : Math.min(Math.round(next), Math.max(value, employeeCount))
}

const updateEmployees = (timeline: CustomerTimeline): void => {
  if (timeline.customer) timeline.update(changeEmployees(timeline.customer, timeline))
}

export function reassignRole(timeline: CustomerTimeline): void {
  const { customer } = timeline
  if (!customer || customer.memberRoles.length === 0) return
  const faker = timeline.createKey('handover').faker('role')
  const role = faker.helpers.arrayElement(customer.memberRoles)
  const others = timeline.listHolders(role.key).filter(({ id }) => !role.memberIds.includes(id))
  const successor = timeline.chooseHolder(others, faker)
  if (!successor) return
  const memberIds = [successor.id, ...role.memberIds.slice(1)]
  timeline.update({
    memberRoles: customer.memberRoles.map((held) => (held === role ? { ...held, memberIds } : held)),
  })
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
  if (id === 0 || !timeline.account || timeline.account.catalog.briefs.length === 0) return
  timeline.put(
    'briefContents',
    generateBriefContent(
      id,
      { createdDate: formatInstant(timeline.nowMs) },
      timeline.createTenant(timeline.nowMs),
    ),
  )
}
