import * as z from 'zod'

import type { Settings } from '../contract/choices.ts'
import { invalidRequest } from '../contract/errors.ts'
import {
  anyValue,
  arrayParameter,
  date,
  idFilter,
  instant,
  pagination,
  recordId,
  textParameter,
  utcDateTime,
} from '../contract/fields.ts'
import { comparable, sortable } from '../contract/instants.ts'
import { documented, documentedShape } from '../contract/provenance.ts'
import { query } from '../contract/query.ts'
import { customerNaming, customerStatuses } from '../contract/statuses.ts'
import { varies } from '../contract/variation.ts'
import type { Data } from '../store/session-data.ts'
import { assignmentKey, type Row, sourceKey } from '../store/tables.ts'
import { membersInScope } from '../store/visibility.ts'
import { type Address, endpoint, named, owned } from './endpoint.ts'
import { Member, presentMember } from './members.ts'
import { openText, spelt } from './open-text.ts'
import { resource } from './resource.ts'
import { scope } from './scope.ts'

const tag = 'Customers'
const source = 'Customer'
const parameters = 'Customer list parameters'

const CustomerStatusInput = documented(
  varies(z.enum(customerStatuses), (settings) => {
    const naming = customerNaming(settings.customerStatuses)
    return naming.isDefault ? undefined : { schema: z.enum(naming.names) }
  }),
  parameters,
  'A-11',
).meta({ id: 'CustomerStatusInput' })

const KeyedValue = { key: z.string(), value: anyValue }

const CustomerRole = documentedShape('CustomerRole', source, {
  key: z.string(),
  name: z.string(),
  members: z.array(Member),
})

const CustomerProduct = documentedShape('CustomerProduct', 'Customer product entry', {
  key: z.string(),
  status: documented(openText, 'Customer product entry', 'A-37'),
  arr: z.number().describe('Annual recurring revenue'),
  renewalDate: date,
  engagement: documentedShape('Engagement', 'Customer product entry', { level: openText }),
  upsell: documentedShape('Upsell', 'Customer product entry', { level: openText }),
  metrics: z.array(documentedShape('CustomerProductMetric', 'Customer product entry', KeyedValue)),
})

/** A customer of the organization. Source: Customer. */
export const Customer = documentedShape('Customer', source, {
  id: recordId,
  name: z.string(),
  city: z.string(),
  country: z.string(),
  region: z.string(),
  timezone: z.string(),
  domain: z.string(),
  employeeCount: z.int().nonnegative(),
  segment: documented(openText, source, 'A-37'),
  memberRoles: z.array(CustomerRole),
  customFields: z.array(documentedShape('CustomerCustomField', source, KeyedValue)),
  products: z.array(CustomerProduct),
  sources: z.array(
    documentedShape('CustomerSource', source, {
      key: z.string().describe('The source name'),
      externalId: z.string().describe("The customer's id in that source"),
    }),
  ),
  updatedDate: documented(instant, source, 'A-35').describe('Timestamp of last update'),
})
export type Customer = z.infer<typeof Customer>

/** A customer on the wire; members, roles and products as they are now. */
function presentCustomer(row: Row<'customers'>, data: Data): Customer {
  return {
    id: row.id,
    name: row.name,
    city: row.city,
    country: row.country,
    region: row.region,
    timezone: row.timezone,
    domain: row.domain,
    employeeCount: row.employeeCount,
    segment: row.segment,
    memberRoles: row.memberRoles.map(({ key, memberIds }) => ({
      key,
      name: roleWithKey(key, row.organizationId, data)?.name ?? key,
      members: memberIds.flatMap((id) => data.get('members', id) ?? []).map(presentMember),
    })),
    customFields: row.customFields,
    products: row.products,
    sources: row.sources,
    updatedDate: row.updatedDate,
  }
}

const customer = resource({
  table: 'customers',
  shape: Customer,
  embeds: ['members', 'memberRoles'],
  present: presentCustomer,
})

/** The customer that a path names, where it is the caller's organization's. */
export function findCustomer(
  address: Address<{ readonly customerId: number }>,
): Row<'customers'> | undefined {
  return named(address.data.get('customers', address.path.customerId), address)
}

function roleWithKey(key: string, organizationId: string, data: Data): Row<'memberRoles'> | undefined {
  const roles = data.select('memberRoles', [
    ['organizationId', organizationId],
    ['key', key],
  ])
  return roles.page(0, 1)[0]
}

const filters = query(
  {
    ...pagination,
    scope: scope(parameters),
    status: documented(CustomerStatusInput.optional(), parameters, 'A-11').describe(
      "What the customer's products make it",
    ),
    updatedSince: documented(utcDateTime.optional(), parameters, 'A-33').describe(
      'Updated at or after this UTC date-time, up to now',
    ),
    memberId: idFilter(parameters, 'Only customers this member is assigned to in any role'),
    memberRoleId: idFilter(
      parameters,
      'Narrows memberId to one role, by the id of its definition; must be supplied together with memberId',
    ),
    sourceKey: documented(textParameter.optional(), parameters).describe(
      'The source name; must be supplied together with sourceExternalId',
    ),
    sourceExternalId: arrayParameter(
      parameters,
      'Customer ids in the external source; must be supplied together with sourceKey',
    ),
    segment: arrayParameter(parameters, 'Segment names'),
    domain: arrayParameter(parameters, 'Domains'),
    country: arrayParameter(parameters, 'Countries'),
    region: arrayParameter(parameters, 'Regions'),
    city: arrayParameter(parameters, 'Cities'),
  },
  [
    { parameter: 'memberRoleId', needs: 'memberId' },
    { parameter: 'sourceKey', needs: 'sourceExternalId' },
    { parameter: 'sourceExternalId', needs: 'sourceKey' },
  ],
)

/** Customers: the list with its filters, and one. Source: Endpoints; Customer list parameters. */
export const customerEndpoints = {
  listCustomers: endpoint({
    id: 'listCustomers',
    path: '/organizations/{organizationId}/customers',
    summary: 'The customers of the organization, filtered',
    tag,
    query: filters,
    returns: 'page',
    resource: customer,
    handle: ({ path, query: asked, caller, data, now, settings }) =>
      data.select('customers', [
        ['organizationId', path.organizationId],
        ['memberId', membersInScope(asked.scope, caller, data, settings.team)],
        asked.status === undefined
          ? ['status', undefined]
          : customerNaming(settings.customerStatuses).condition(asked.status),
        ['memberId', asked.memberRoleId === undefined ? member(asked, caller, data, settings) : undefined],
        ['assignment', assignment(asked, caller, data, settings)],
        ['source', asked.sourceExternalId?.map((id) => sourceKey(asked.sourceKey ?? '', id))],
        ['segment', spelt('segment', asked.segment, data, settings)],
        ['domain', spelt('domain', asked.domain, data, settings)],
        ['country', spelt('country', asked.country, data, settings)],
        ['region', spelt('region', asked.region, data, settings)],
        ['city', spelt('city', asked.city, data, settings)],
        [
          'updatedDate',
          asked.updatedSince === undefined ? undefined : between(asked.updatedSince, now(), settings),
        ],
      ]),
  }),
  getCustomer: endpoint({
    id: 'getCustomer',
    path: '/organizations/{organizationId}/customers/{customerId}',
    summary: 'One customer',
    tag,
    returns: 'one',
    resource: customer,
    find: findCustomer,
    handle: ({ record }) => record,
  }),
}

/** The index key for `memberId` in the role `memberRoleId`; none where no such role exists. */
function assignment(
  {
    memberId,
    memberRoleId,
  }: { readonly memberId?: number | undefined; readonly memberRoleId?: number | undefined },
  caller: Row<'members'>,
  data: Data,
  settings: Settings,
): readonly string[] | undefined {
  if (memberId === undefined || memberRoleId === undefined) return undefined
  member({ memberId }, caller, data, settings)
  const role = owned(data.get('memberRoles', memberRoleId), { caller })
  return role ? [assignmentKey(role.key, memberId)] : []
}

const between = (since: string, now: string, { dateFilters }: Settings) => ({
  from: comparable(since, dateFilters),
  to: sortable(now),
})

/** The member to filter by. Errors: 400 for one that nobody is, where that is assumed. */
function member(
  { memberId }: { readonly memberId?: number | undefined },
  caller: Row<'members'>,
  data: Data,
  { unknownMember }: Settings,
): number | undefined {
  if (memberId === undefined || unknownMember === 'empty') return memberId
  if (owned(data.get('members', memberId), { caller })) return memberId
  throw invalidRequest([{ in: 'query', name: 'memberId', message: 'is the id of no member' }])
}
