import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import {
  allTenants,
  DAY,
  expectNone,
  hadContract,
  isGenerated,
  listRenewals,
  type Row,
  type Tenant,
} from './tenants.ts'

interface Brief {
  readonly row: Row<'briefContents'>
  readonly key: string
  readonly text: string
  readonly customer: Row<'customers'>
  /** The lines of the table of products and of the list of renewals. */
  readonly lines: readonly ProductLine[]
}

interface ProductLine {
  readonly entry: Row<'customers'>['products'][number]
  readonly line: string
  readonly arr: number
}

/** Reads the generated briefs of a tenant. */
function readBriefs({ rows, whole, get }: Tenant): Brief[] {
  return whole.briefContents.filter(isGenerated).flatMap((row) => {
    const customer = get('customers', row.customerId)
    const { content: text } = row
    if (!customer || text === undefined) return []
    const lines = customer.products.flatMap((entry) => {
      const product = rows.products.find(
        ({ organizationId, key }) => organizationId === row.organizationId && key === entry.key,
      )
      const own = new RegExp(`^(?:\\| |\\d\\. )${product?.name}(?: \\|| on ).*$`, 'm').exec(text)?.[0]
      const arr = Number(/\$([\d,]+)/.exec(own ?? '')?.[1]?.replaceAll(',', ''))
      return own === undefined ? [] : [{ entry, line: own, arr }]
    })
    return [{ row, key: get('briefs', row.briefId)?.key ?? '', text, customer, lines }]
  })
}

/** Reads the dates in a line, as in "March 12, 2026" or "12 March 2026". Units: milliseconds since 1970. */
const readDates = (line: string): number[] =>
  Array.from(line.matchAll(/[A-Z][a-z]+ \d+, \d{4}|\d+ [A-Z][a-z]+ \d{4}/g), ([date]) =>
    Date.parse(`${date} UTC`),
  )

const timeOf = ({ row }: Brief) => Date.parse(row.createdDate)

describe.each(allTenants)('$name', (tenant) => {
  const { rows, seed } = tenant
  const briefs = readBriefs(tenant)
  const products = briefs.flatMap((brief) => brief.lines.map((line) => ({ ...brief, ...line })))

  const isBought = ({ customer, row }: Brief, entry: ProductLine['entry']) =>
    computeStart(customer.id, entry, seed) <= Date.parse(row.createdDate)

  it('a brief begins with the customer’s own name', () =>
    expectNone(briefs, ({ text, customer }) => !text.startsWith(`# ${customer.name.slice(0, 6)}`)))

  it('a brief lists the products that the customer had bought by then, and no others', () => {
    expect(products.length).toBeGreaterThan(20)
    expectNone(products, (product) => !isBought(product, product.entry))
    expectNone(
      briefs.filter(({ key }) => key === 'accountSummary'),
      (brief) =>
        brief.customer.products.filter((entry) => isBought(brief, entry)).length !== brief.lines.length,
    )
  })

  it('a brief states the price of its own date: each renewal since then has raised it by 3 to 8 %', () =>
    expectNone(products, (product) => {
      const { customer, entry, arr } = product
      if (entry.status === 'churned') {
        return arr > 0 !== hadContract(customer, entry, product.row.createdDate, seed)
      }
      const later = listRenewals(customer, entry, seed).slice(1)
      const count = later.filter((timeMs) => timeMs > timeOf(product)).length
      return arr > entry.arr / 1.03 ** count + 100 || arr < entry.arr / 1.08 ** count - 100
    }))

  it('the renewals in a brief are the next ones, within a year', () =>
    expectNone(products, (product) => {
      const [renewalMs = 0] = readDates(product.line)
      const isOver = product.line.includes('ended')
      const renewals = listRenewals(product.customer, product.entry, seed)
      const left = (renewalMs - timeOf(product)) / DAY
      return !renewals.includes(renewalMs) || (isOver ? left > 0 : left < -1 || left > 366)
    }))

  it('a brief quotes the signals that were open and the meetings that had taken place', () => {
    expectNone(
      briefs.filter(({ key }) => key === 'accountSummary' || key === 'meetingPreparation'),
      ({ row, text }) => {
        const open = rows.signals.filter(
          ({ customerId, raisedDate, closedDate }) =>
            customerId === row.customerId &&
            raisedDate !== null &&
            raisedDate <= row.createdDate &&
            (closedDate === null || closedDate > row.createdDate),
        )
        const lines = open.map(
          ({ summary, category, severity }) => `- **${category.name}**, severity ${severity}: ${summary}`,
        )
        const quoted = text.match(/^- \*\*.*\*\*, severity \d: .*$/gm) ?? []
        return quoted.toSorted().join('\n') !== lines.toSorted().join('\n')
      },
    )
    expectNone(briefs, ({ row, text }) => {
      const last = /## Last meeting\n\n\*\*(.*)\*\*/.exec(text)?.[1]
      const isHeld = rows.meetings.some(
        ({ customerId, topic, endDate }) =>
          customerId === row.customerId && topic === last && endDate <= row.createdDate,
      )
      return last !== undefined && !isHeld
    })
  })
})
