import { expect, it } from 'vitest'

import { countries } from '../../seed/calendar/places.ts'
import { computeStart } from '../../seed/customers/contracts.ts'
import { tableNames } from '../../src/store/tables.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { now, rowsOf } from './generated.ts'
import { type Row, type TableName, Tenant } from './tenants.ts'

const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()

it('a customer’s domain is derived from its name and ends in .example', () => {
  const customers = new Tenant(42, chooseAmount(300, 2000)).customers
  const wrong = customers.filter(
    ({ name, domain }) =>
      !/^[a-z0-9]+\.example$/.test(domain) || !plain(name).startsWith(domain.replace('.example', '')),
  )
  expect(wrong).toEqual([])
  const own = customers
    .filter(({ organizationId }) => organizationId === 'harbor')
    .map(({ domain }) => domain)
  expect(new Set(own).size).toBe(own.length)
})

const textOf = (place: Pick<Row<'customers'>, 'city' | 'region' | 'country' | 'timezone'>) =>
  [place.city, place.region, place.country, place.timezone].join(' | ')

it('a customer’s city, region and time zone belong to its country', () => {
  const places = countries.flatMap((country) => country.places)
  const known = new Set(places.map(textOf))
  const found = new Set(new Tenant(42, chooseAmount(300, 500)).customers.map(textOf))
  expect([...found].filter((place) => !known.has(place))).toEqual([])
  expect(found.size).toBeGreaterThan(50)
})

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

it('larger segments have more employees and pay more for a product', () => {
  const customers = new Tenant(42, chooseAmount(300, 1000)).customers
  const segments = ['Startup', 'SMB', 'Mid-Market', 'Enterprise'].map((segment) =>
    customers.filter((customer) => customer.segment === segment),
  )
  const employees = segments.map((own) => average(own.map(({ employeeCount }) => employeeCount)))
  const spending = segments.map((own) =>
    average(own.flatMap(({ products }) => products.flatMap(({ arr }) => arr || []))),
  )
  expect(employees.toSorted((a, b) => a - b)).toEqual(employees)
  expect(spending.toSorted((a, b) => a - b)).toEqual(spending)
})

it('a metric’s value has the metric’s type, and no customer has more active users than employees', () => {
  const { customers, products, productMetrics } = rowsOf({ size: 300 })
  const types = new Set(
    customers.flatMap(({ organizationId, employeeCount, products: entries }) =>
      entries.flatMap((entry) => {
        const product = products.find((row) => row.key === entry.key && row.organizationId === organizationId)
        return entry.metrics.map(({ key, value }) => {
          const metric = productMetrics.find((row) => row.productId === product?.id && row.key === key)
          const tooMany = key === 'activeUsers' && Number(value) > employeeCount ? ' too many' : ''
          return `${metric?.type} ${value === null ? 'null' : typeof value}${tooMany}`
        })
      }),
    ),
  )
  expect([...types].toSorted()).toEqual([
    'boolean boolean',
    'boolean null',
    'number null',
    'number number',
    'percent null',
    'percent number',
    'text null',
    'text string',
  ])
})

it('a signal’s texts name only its own product', () => {
  const { signals, products } = rowsOf({ size: 300 })
  const strangers = (signal: Row<'signals'>) => {
    const told = [signal.summary, signal.severityExplanation, signal.opportunity, signal.latestNote].join(' ')
    return products.filter(
      ({ id, name, organizationId }) =>
        id !== signal.productId &&
        organizationId === signal.organizationId &&
        new RegExp(`(?:in|of|for|open|see|about|with) ${name}\\b`).test(told),
    )
  }
  const drawn = signals.filter(({ customerId }) => customerId > 3)
  expect(drawn.flatMap((signal) => strangers(signal).map(({ name }) => [signal.summary, name]))).toEqual([])
})

it('a churned product has no revenue and no metrics', () => {
  const entries = rowsOf({ size: 300 }).customers.flatMap(({ products }) => products)
  const left = entries.filter(({ status }) => status === 'churned')
  expect(left.length).toBeGreaterThan(20)
  expect(
    left.filter(({ arr, metrics, renewalDate }) => arr !== 0 || metrics.length > 0 || renewalDate > now),
  ).toEqual([])
})

it('signals about usage, support, renewals and requests name products of the customer; those about new products name others', () => {
  const { customers, products, signals } = rowsOf({ size: 300 })
  const wrong = signals.filter(({ customerId, productId, createdDate, category, subCategory }) => {
    const key = products.find(({ id }) => id === productId)?.key
    const entry = customers.find(({ id }) => id === customerId)?.products.find((own) => own.key === key)
    const isOwn = entry !== undefined && computeStart(customerId, entry, 42) <= Date.parse(createdDate)
    if (category.name === 'Expansion') return subCategory?.name === 'New product' && isOwn
    return ['Adoption', 'Support', 'Renewal', 'Product feedback'].includes(category.name) && !isOwn
  })
  expect(wrong).toEqual([])
})

/** The fields of each table that can be absent or empty. */
const optional: { readonly [T in TableName]?: readonly (keyof Row<T>)[] } = {
  customers: ['memberRoles', 'products', 'sources', 'customFields'],
  signals: [
    ...(['severityExplanation', 'latestNote', 'raisedDate', 'closedDate', 'opportunity'] as const),
    ...(['dismissalReason', 'subCategory', 'outcome', 'outcomeNotes', 'competitor', 'isPrimary'] as const),
  ],
  meetings: ['summary', 'url', 'users', 'contacts', 'unmatchedParticipants', 'nextSteps', 'hasTranscript'],
  automations: ['deactivatedDate', 'parentId', 'triggers', 'actions'],
  briefs: ['isActive'],
  noteCategories: ['isActive'],
  customFields: ['options'],
}

const isThere = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== false

it('both cases of everything optional occur, even in a small dataset', () => {
  for (const seed of [1, 2, 3, 42]) {
    const rows = rowsOf({ seed })
    const oneSided = tableNames.flatMap((table) =>
      (optional[table] ?? []).filter((field) => {
        const seen = new Set(rows[table].map((row) => isThere(Reflect.get(row, field))))
        return seen.size < 2
      }),
    )
    expect(oneSided).toEqual([])
    const values = rows.customers.flatMap(({ customFields, products }) => [
      ...customFields.map(({ value }) => value),
      ...products.flatMap(({ metrics }) => metrics.map(({ value }) => value)),
    ])
    expect(values).toContain(null)
    expect(new Set(rows.triggerLogs.map(({ status }) => status)).size).toBe(2)
  }
})
