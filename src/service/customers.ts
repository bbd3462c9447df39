import * as z from 'zod'

import { adapt } from '../contract/codecs.ts'
import {
  anyValue,
  arrayParameter,
  date,
  idFilter,
  instant,
  pagination,
  recordId,
  textParameter,
  toSortable,
  utcDateTime,
} from '../contract/fields.ts'
import { documented, documentedShape } from '../contract/provenance.ts'
import { requirePairs } from '../contract/query.ts'
import { getCustomerNaming, customerStatuses } from '../contract/statuses.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import type { DerivedCache } from '../store/session-data.ts'
import { toAssignmentKey, toSourceKey } from '../store/tables/customers.ts'
import { endpoint, findOwn, inPath, resource } from './endpoint.ts'
import { Member, presentMembers } from './members.ts'
import { findMembersInScope, scopeParameter } from './scopes.ts'

const source = 'Customer'
const parameters = 'Customer list parameters'

const CustomerStatusInput = documented(
  adapt(z.enum(customerStatuses), (settings) => {
    const naming = getCustomerNaming(settings.customerStatuses)
    return naming.isDefault ? undefined : { schema: z.enum(naming.names) }
  }),
  parameters,
  'A-11',
).meta({ id: 'CustomerStatusInput' })

const KeyedValue = { key: z.string(), value: anyValue }

const CustomerRole = documentedShape('CustomerRole', source, () => ({
  key: z.string(),
  name: z.string(),
  members: z.array(Member),
}))

const CustomerProduct = documentedShape('CustomerProduct', 'Customer product entry', () => ({
  key: z.string(),
  status: documented(z.string(), 'Customer product entry', 'A-37'),
  arr: documented(z.number(), 'Customer product entry', 'A-45').describe('Annual recurring revenue'),
  renewalDate: date,
  engagement: documentedShape('Engagement', 'Customer product entry', () => ({ level: z.string() })),
  upsell: documentedShape('Upsell', 'Customer product entry', () => ({ level: z.string() })),
  metrics: documented(
    z.array(documentedShape('CustomerProductMetric', 'Customer product entry', () => KeyedValue)),
    'Customer product entry',
    'A-48',
  ),
}))

/** A customer of the organization. Source: Customer. */
export const Customer = documentedShape('Customer', source, () => ({
  id: recordId,
  name: z.string(),
  city: z.string(),
  country: documented(z.string(), source, 'A-46'),
  region: documented(z.string(), source, 'A-46'),
  timezone: z.string(),
  domain: z.string(),
  employeeCount: z.int().nonnegative(),
  segment: documented(z.string(), source, 'A-37'),
  memberRoles: documented(z.array(CustomerRole), source, 'A-48'),
  customFields: documented(
    z.array(documentedShape('CustomerCustomField', source, () => KeyedValue)),
    source,
    'A-48',
  ),
  products: z.array(CustomerProduct),
  sources: z.array(
    documentedShape('CustomerSource', source, () => ({
      key: z.string().describe('The source name'),
      externalId: z.string().describe("The customer's id in that source"),
    })),
  ),
  updatedDate: documented(instant, source, 'A-35').describe('Timestamp of last update'),
}))
export type Customer = z.infer<typeof Customer>

const roleNames: DerivedCache<ReadonlyMap<string, string>> = new WeakMap()

const customer = resource({
  table: 'customers',
  shape: Customer,
  embeds: ['members', 'memberRoles'],
  derive: ({ organizationId, memberRoles }, data) => {
    const names = data.derive(roleNames, organizationId, ['memberRoles'], () => {
      const roles = data.select('memberRoles', [['organizationId', organizationId]]).page()
      return new Map(roles.map(({ key, name }) => [key, name]))
    })
    return {
      memberRoles: memberRoles.map(({ key, memberIds }) => ({
        key,
        name: names.get(key) ?? key,
        members: presentMembers(memberIds, data),
      })),
    }
  },
})

export const findCustomer = inPath('customers', 'customerId')

const filters = requirePairs(
  lazyObject(() => ({
    ...pagination,
    scope: scopeParameter(parameters),
    status: documented(CustomerStatusInput.optional(), parameters, 'A-11').describe(
      "The status that follows from the customer's products",
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
  })),
  { memberRoleId: 'memberId', sourceKey: 'sourceExternalId', sourceExternalId: 'sourceKey' },
)

export const customerEndpoints = {
  listCustomers: endpoint({
    path: '/organizations/{organizationId}/customers',
    summary: 'The customers of the organization, filtered',
    query: filters,
    returns: 'page',
    resource: customer,
    where: (call) => {
      const { path, query: filter, caller, data, now, settings } = call
      const { status, memberId, memberRoleId, sourceKey, sourceExternalId, updatedSince } = filter
      const hasRole = memberId !== undefined && memberRoleId !== undefined
      const role = hasRole ? findOwn('memberRoles', memberRoleId, call) : undefined
      const assignments = role && memberId !== undefined ? [toAssignmentKey(role.key, memberId)] : []
      return [
        ['organizationId', path.organizationId],
        ['memberId', findMembersInScope(filter.scope, caller, data, settings.team), ['scope']],
        ['status', status && getCustomerNaming(settings.customerStatuses).getCondition(status)],
        ['memberId', hasRole ? undefined : memberId],
        ['assignment', hasRole ? assignments : undefined, ['memberId', 'memberRoleId']],
        [
          'source',
          sourceExternalId?.map((id) => toSourceKey(sourceKey ?? '', id)),
          ['sourceKey', 'sourceExternalId'],
        ],
        ['segment', filter.segment],
        ['domain', filter.domain],
        ['country', filter.country],
        ['region', filter.region],
        ['city', filter.city],
        [
          'updatedDate',
          updatedSince && { from: toSortable(updatedSince), to: toSortable(now()) },
          ['updatedSince'],
        ],
      ]
    },
  }),
  getCustomer: endpoint({
    path: '/organizations/{organizationId}/customers/{customerId}',
    summary: 'One customer',
    resource: customer,
    find: findCustomer,
  }),
}
