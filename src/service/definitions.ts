import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { assumedShape, documentedShape } from '../contract/provenance.ts'
import { customFieldTypes, metricTypes } from '../store/tables/definitions.ts'
import { endpoint, inPath, resource } from './endpoint.ts'

/** The definition of a customer's custom field. Source: assumption A-23. */
export const CustomFieldDefinition = assumedShape('CustomFieldDefinition', 'A-23', () => ({
  id: recordId,
  key: z.string().describe('The key of the field in Customer.customFields'),
  name: z.string(),
  type: z.enum(customFieldTypes),
  options: z.array(z.string()).describe('The values of a select field; empty for other types'),
}))
export type CustomFieldDefinition = z.infer<typeof CustomFieldDefinition>

/** The definition of a role that members hold on customers. Source: Other records. */
export const MemberRoleDefinition = documentedShape('MemberRoleDefinition', 'Other records', () => ({
  id: recordId.describe('The value for the filter memberRoleId'),
  key: z.string().describe('The key of the role in Customer.memberRoles'),
  name: z.string(),
}))
export type MemberRoleDefinition = z.infer<typeof MemberRoleDefinition>

/** A category of notes. Source: assumption A-24. */
export const NoteCategory = assumedShape('NoteCategory', 'A-24', () => ({ id: recordId, name: z.string() }))
export type NoteCategory = z.infer<typeof NoteCategory>

/** A product of the organization. Source: assumption A-25. */
export const Product = assumedShape('Product', 'A-25', () => ({
  id: recordId,
  key: z.string().describe("The key of the product in Customer.products, and a signal's productKey"),
  name: z.string(),
}))
export type Product = z.infer<typeof Product>

/** The definition of a metric of a product. Source: assumption A-26. */
export const ProductMetric = assumedShape('ProductMetric', 'A-26', () => ({
  id: recordId,
  key: z.string().describe("The key of the metric in a customer product's metrics"),
  name: z.string(),
  type: z.enum(metricTypes),
}))
export type ProductMetric = z.infer<typeof ProductMetric>

export const definitionEndpoints = {
  listCustomFields: endpoint({
    path: '/organizations/{organizationId}/custom-fields',
    summary: 'The custom field definitions of the organization',
    returns: 'list',
    assumes: 'A-02',
    resource: resource({ table: 'customFields', shape: CustomFieldDefinition }),
    where: ({ path }) => [['organizationId', path.organizationId]],
  }),
  listMemberRoles: endpoint({
    path: '/organizations/{organizationId}/member-roles',
    summary: 'The role definitions between members and customers',
    returns: 'list',
    assumes: 'A-02',
    resource: resource({ table: 'memberRoles', shape: MemberRoleDefinition }),
    where: ({ path }) => [['organizationId', path.organizationId]],
  }),
  listNoteCategories: endpoint({
    path: '/organizations/{organizationId}/note-categories',
    summary: 'The active note categories, for use when creating a note',
    returns: 'list',
    assumes: 'A-02',
    resource: resource({ table: 'noteCategories', shape: NoteCategory }),
    where: ({ path }) => [
      ['organizationId', path.organizationId],
      ['isActive', true, 'The list shows active records only'],
    ],
  }),
}

export const productEndpoints = {
  listProducts: endpoint({
    path: '/organizations/{organizationId}/products',
    summary: 'The products of the organization',
    returns: 'list',
    assumes: 'A-02',
    resource: resource({ table: 'products', shape: Product }),
    where: ({ path }) => [['organizationId', path.organizationId]],
  }),
  listProductMetrics: endpoint({
    path: '/organizations/{organizationId}/products/{productId}/metrics',
    summary: 'The metrics of a product',
    returns: 'list',
    assumes: 'A-02',
    resource: resource({ table: 'productMetrics', shape: ProductMetric }),
    find: inPath('products', 'productId'),
    where: ({ record }) => [['productId', record.id]],
  }),
}
