import { expect, it } from 'vitest'

import { countries } from '../../seed/calendar/places.ts'
import { computeStart } from '../../seed/customers/contracts.ts'
import { tableNames } from '../../src/store/tables.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { expectNone, now, rowsOf } from './generated.ts'
import { isGenerated, mean, type Row, type TableName, Tenant } from './tenants.ts'

const { customers, rows, findEntry } = new Tenant(42, chooseAmount(300, 2000))

it('a customer’s domain is derived from its name and ends in .example', () =>
  expectNone(customers, ({ name, domain }) => {
    const letters = name
      .normalize('NFD')
      .replaceAll(/[^a-zA-Z0-9]/g, '')
      .toLowerCase()
    return !/^[a-z0-9]+\.example$/.test(domain) || !letters.startsWith(domain.replace('.example', ''))
  }))

const joinPlace = (place: Pick<Row<'customers'>, 'city' | 'region' | 'country' | 'timezone'>) =>
  [place.city, place.region, place.country, place.timezone].join(' | ')

it('a customer’s city, region and time zone belong to its country', () => {
  const known = new Set(countries.flatMap(({ places }) => places).map(joinPlace))
  const found = [...new Set(customers.map(joinPlace))]
  expectNone(found, (place) => !known.has(place))
  expect(found.length).toBeGreaterThan(50)
})

it('larger segments have more employees and pay more for a product', () => {
  const segments = ['Startup', 'SMB', 'Mid-Market', 'Enterprise'].map((segment) =>
    customers.filter((customer) => customer.segment === segment),
  )
  const employees = segments.map((own) => mean(own.map(({ employeeCount }) => employeeCount)))
  const spending = segments.map((own) =>
    mean(own.flatMap(({ products }) => products.flatMap(({ arr }) => arr || []))),
  )
  expect(employees.toSorted((a, b) => a - b)).toEqual(employees)
  expect(spending.toSorted((a, b) => a - b)).toEqual(spending)
})

const valueTypes = { boolean: 'boolean', number: 'number', percent: 'number', text: 'string' }

it('a metric’s value has the metric’s type or is null, and no customer has more active users than employees', () => {
  const shown = rows.customers.flatMap(({ organizationId, employeeCount, products }) =>
    products.flatMap((entry) => {
      const own = rows.products.find((row) => row.key === entry.key && row.organizationId === organizationId)
      return entry.metrics.map(({ key, value }) => {
        const metric = rows.productMetrics.find((row) => row.productId === own?.id && row.key === key)
        return { type: metric?.type ?? 'text', key, value, employeeCount }
      })
    }),
  )
  expect(new Set(shown.map(({ type, value }) => `${type} ${value === null}`)).size).toBe(8)
  expectNone(shown, ({ type, value }) => value !== null && typeof value !== valueTypes[type])
  expectNone(shown, ({ key, value, employeeCount }) => key === 'activeUsers' && Number(value) > employeeCount)
})

it('a signal’s texts name only its own product', () =>
  expectNone(rows.signals.filter(isGenerated), (signal) => {
    const told = [signal.summary, signal.severityExplanation, signal.opportunity, signal.latestNote].join(' ')
    return rows.products.some(
      ({ id, name, organizationId }) =>
        id !== signal.productId &&
        organizationId === signal.organizationId &&
        new RegExp(`(?:in|of|for|open|see|about|with) ${name}\\b`).test(told),
    )
  }))

it('a churned product has no revenue and no metrics', () => {
  const entries = rows.customers.flatMap(({ products }) => products)
  const left = entries.filter(({ status }) => status === 'churned')
  expect(left.length).toBeGreaterThan(20)
  expectNone(left, ({ arr, metrics, renewalDate }) => arr !== 0 || metrics.length > 0 || renewalDate > now)
})

it('signals about usage, support, renewals and requests name products of the customer; those about new products name others', () =>
  expectNone(rows.signals, ({ customerId, productId, createdDate, category, subCategory }) => {
    const entry = findEntry(customerId, productId)
    const isOwn = entry !== undefined && computeStart(customerId, entry, 42) <= Date.parse(createdDate)
    if (category.name === 'Expansion') return subCategory?.name === 'New product' && isOwn
    return ['Adoption', 'Support', 'Renewal', 'Product feedback'].includes(category.name) && !isOwn
  }))

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
    const small = rowsOf({ seed })
    const oneSided = tableNames.flatMap((table) =>
      (optional[table] ?? []).filter((field) => {
        const seen = new Set(small[table].map((row) => isThere(Reflect.get(row, field))))
        return seen.size < 2
      }),
    )
    expect(oneSided).toEqual([])
    const values = small.customers.flatMap(({ customFields, products }) =>
      [...customFields, ...products.flatMap(({ metrics }) => metrics)].map(({ value }) => value),
    )
    expect(values).toContain(null)
    expect(new Set(small.triggerLogs.map(({ status }) => status)).size).toBe(2)
  }
})
