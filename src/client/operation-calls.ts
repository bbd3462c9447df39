// Generated from the schemas by `npm run tables`.

import type {
  ActionLogEntry,
  Automation,
  AutomationSummary,
  Brief,
  BriefContent,
  CustomFieldDefinition,
  Customer,
  CustomerNote,
  Meeting,
  MeetingSummary,
  Member,
  MemberRoleDefinition,
  NoteCategory,
  Product,
  ProductMetric,
  Signal,
  TriggerLogEntry,
} from '../index.ts'
import type { CallOptions, Page } from './call-options.ts'
import type {
  ListMembersInput,
  GetMemberInput,
  ListAutomationsInput,
  GetAutomationInput,
  ListAutomationActionLogsInput,
  ListAutomationTriggerLogsInput,
  ListBriefsInput,
  ListCustomerBriefContentsInput,
  ListCustomFieldsInput,
  ListMemberRolesInput,
  ListNoteCategoriesInput,
  ListCustomerNotesInput,
  CreateCustomerNoteInput,
  ListProductsInput,
  ListProductMetricsInput,
  ListSignalsInput,
  GetSignalInput,
  ListCustomersInput,
  GetCustomerInput,
  ListCustomerMeetingsInput,
  GetCustomerMeetingInput,
} from './operation-inputs.ts'

/** A function for every operation, by its id. */
export interface OperationCalls {
  /** The member associated with the caller's token. `GET /members/me`. Returns `Member`. @example const result = await client.getCurrentMember() */
  readonly getCurrentMember: (
    input?: Readonly<Record<string, never>>,
    options?: CallOptions,
  ) => Promise<Member>
  /** The members of the organization. `GET /organizations/{organizationId}/members`. Returns `Member[]`. @example const result = await client.listMembers({ organizationId: 'harbor' }) */
  readonly listMembers: (input: ListMembersInput, options?: CallOptions) => Promise<Member[]>
  /**
   * One member of the organization. `GET /organizations/{organizationId}/members/{memberId}`. Returns `Member`.
   * @example const result = await client.getMember({ organizationId: 'harbor', memberId: 1 })
   */
  readonly getMember: (input: GetMemberInput, options?: CallOptions) => Promise<Member>
  /**
   * The automations of the organization that are not the child of another. `GET /organizations/{organizationId}/automations`. Returns `AutomationSummary[]`.
   * @example const result = await client.listAutomations({ organizationId: 'harbor' })
   */
  readonly listAutomations: (
    input: ListAutomationsInput,
    options?: CallOptions,
  ) => Promise<AutomationSummary[]>
  /**
   * One automation with its triggers, actions and children. `GET /organizations/{organizationId}/automations/{automationId}`. Returns `Automation`.
   * @example const result = await client.getAutomation({ organizationId: 'harbor', automationId: 1 })
   */
  readonly getAutomation: (input: GetAutomationInput, options?: CallOptions) => Promise<Automation>
  /**
   * The log of an automation's action, newest first. `GET /organizations/{organizationId}/automations/{automationId}/actions/{actionId}/logs`. Returns `Page<ActionLogEntry>`.
   * @example const { items, totalCount } = await client.listAutomationActionLogs({ organizationId: 'harbor', automationId: 1, actionId: 1 })
   */
  readonly listAutomationActionLogs: (
    input: ListAutomationActionLogsInput,
    options?: CallOptions,
  ) => Promise<Page<ActionLogEntry>>
  /**
   * The log of an automation's trigger, newest first. `GET /organizations/{organizationId}/automations/{automationId}/triggers/{triggerId}/logs`. Returns `Page<TriggerLogEntry>`.
   * @example const { items, totalCount } = await client.listAutomationTriggerLogs({ organizationId: 'harbor', automationId: 1, triggerId: 1 })
   */
  readonly listAutomationTriggerLogs: (
    input: ListAutomationTriggerLogsInput,
    options?: CallOptions,
  ) => Promise<Page<TriggerLogEntry>>
  /**
   * The active brief definitions. `GET /organizations/{organizationId}/briefs`. Returns `Page<Brief>`.
   * @example const { items, totalCount } = await client.listBriefs({ organizationId: 'harbor' })
   */
  readonly listBriefs: (input: ListBriefsInput, options?: CallOptions) => Promise<Page<Brief>>
  /**
   * The generated contents for the brief on the customer, most recent first. `GET /organizations/{organizationId}/customers/{customerId}/briefs/{briefId}/contents`. Returns `Page<BriefContent>`.
   * @example const { items, totalCount } = await client.listCustomerBriefContents({ organizationId: 'harbor', customerId: 1, briefId: 1 })
   */
  readonly listCustomerBriefContents: (
    input: ListCustomerBriefContentsInput,
    options?: CallOptions,
  ) => Promise<Page<BriefContent>>
  /**
   * The custom field definitions of the organization. `GET /organizations/{organizationId}/custom-fields`. Returns `CustomFieldDefinition[]`.
   * @example const result = await client.listCustomFields({ organizationId: 'harbor' })
   */
  readonly listCustomFields: (
    input: ListCustomFieldsInput,
    options?: CallOptions,
  ) => Promise<CustomFieldDefinition[]>
  /**
   * The role definitions between members and customers. `GET /organizations/{organizationId}/member-roles`. Returns `MemberRoleDefinition[]`.
   * @example const result = await client.listMemberRoles({ organizationId: 'harbor' })
   */
  readonly listMemberRoles: (
    input: ListMemberRolesInput,
    options?: CallOptions,
  ) => Promise<MemberRoleDefinition[]>
  /**
   * The active note categories, for use when creating a note. `GET /organizations/{organizationId}/note-categories`. Returns `NoteCategory[]`.
   * @example const result = await client.listNoteCategories({ organizationId: 'harbor' })
   */
  readonly listNoteCategories: (
    input: ListNoteCategoriesInput,
    options?: CallOptions,
  ) => Promise<NoteCategory[]>
  /**
   * The notes on a customer. `GET /organizations/{organizationId}/customers/{customerId}/notes`. Returns `Page<CustomerNote>`.
   * @example const { items, totalCount } = await client.listCustomerNotes({ organizationId: 'harbor', customerId: 1 })
   */
  readonly listCustomerNotes: (
    input: ListCustomerNotesInput,
    options?: CallOptions,
  ) => Promise<Page<CustomerNote>>
  /**
   * Adds a note to a customer. `POST /organizations/{organizationId}/customers/{customerId}/notes`. Returns `CustomerNote`.
   * @example const result = await client.createCustomerNote({ organizationId: 'harbor', customerId: 1, body: { categoryId: 1, content: 'Called them' } })
   */
  readonly createCustomerNote: (
    input: CreateCustomerNoteInput,
    options?: CallOptions,
  ) => Promise<CustomerNote>
  /** The products of the organization. `GET /organizations/{organizationId}/products`. Returns `Product[]`. @example const result = await client.listProducts({ organizationId: 'harbor' }) */
  readonly listProducts: (input: ListProductsInput, options?: CallOptions) => Promise<Product[]>
  /**
   * The metrics of a product. `GET /organizations/{organizationId}/products/{productId}/metrics`. Returns `ProductMetric[]`.
   * @example const result = await client.listProductMetrics({ organizationId: 'harbor', productId: 1 })
   */
  readonly listProductMetrics: (
    input: ListProductMetricsInput,
    options?: CallOptions,
  ) => Promise<ProductMetric[]>
  /**
   * The signals raised on customers, filtered. `GET /organizations/{organizationId}/signals`. Returns `Page<Signal>`.
   * @example const { items, totalCount } = await client.listSignals({ organizationId: 'harbor' })
   */
  readonly listSignals: (input: ListSignalsInput, options?: CallOptions) => Promise<Page<Signal>>
  /** One signal. `GET /organizations/{organizationId}/signals/{signalId}`. Returns `Signal`. @example const result = await client.getSignal({ organizationId: 'harbor', signalId: 1 }) */
  readonly getSignal: (input: GetSignalInput, options?: CallOptions) => Promise<Signal>
  /**
   * The customers of the organization, filtered. `GET /organizations/{organizationId}/customers`. Returns `Page<Customer>`.
   * @example const { items, totalCount } = await client.listCustomers({ organizationId: 'harbor' })
   */
  readonly listCustomers: (input: ListCustomersInput, options?: CallOptions) => Promise<Page<Customer>>
  /** One customer. `GET /organizations/{organizationId}/customers/{customerId}`. Returns `Customer`. @example const result = await client.getCustomer({ organizationId: 'harbor', customerId: 1 }) */
  readonly getCustomer: (input: GetCustomerInput, options?: CallOptions) => Promise<Customer>
  /**
   * The meetings of a customer, without transcripts. `GET /organizations/{organizationId}/customers/{customerId}/meetings`. Returns `Page<MeetingSummary>`.
   * @example const { items, totalCount } = await client.listCustomerMeetings({ organizationId: 'harbor', customerId: 1 })
   */
  readonly listCustomerMeetings: (
    input: ListCustomerMeetingsInput,
    options?: CallOptions,
  ) => Promise<Page<MeetingSummary>>
  /**
   * One meeting of a customer, with its transcript. `GET /organizations/{organizationId}/customers/{customerId}/meetings/{meetingId}`. Returns `Meeting`.
   * @example const result = await client.getCustomerMeeting({ organizationId: 'harbor', customerId: 1, meetingId: 1 })
   */
  readonly getCustomerMeeting: (input: GetCustomerMeetingInput, options?: CallOptions) => Promise<Meeting>
}

/** A function for every paginated list, which iterates over its records. */
export interface OperationIterators {
  /**
   * The log of an automation's action, newest first. Iterates over each `ActionLogEntry`.
   * @example for await (const { id } of client.each.listAutomationActionLogs({ organizationId: 'harbor', automationId: 1, actionId: 1 })) console.log(id)
   */
  readonly listAutomationActionLogs: (
    input: ListAutomationActionLogsInput,
    options?: CallOptions,
  ) => AsyncIterable<ActionLogEntry>
  /**
   * The log of an automation's trigger, newest first. Iterates over each `TriggerLogEntry`.
   * @example for await (const { id } of client.each.listAutomationTriggerLogs({ organizationId: 'harbor', automationId: 1, triggerId: 1 })) console.log(id)
   */
  readonly listAutomationTriggerLogs: (
    input: ListAutomationTriggerLogsInput,
    options?: CallOptions,
  ) => AsyncIterable<TriggerLogEntry>
  /** The active brief definitions. Iterates over each `Brief`. @example for await (const { id } of client.each.listBriefs({ organizationId: 'harbor' })) console.log(id) */
  readonly listBriefs: (input: ListBriefsInput, options?: CallOptions) => AsyncIterable<Brief>
  /**
   * The generated contents for the brief on the customer, most recent first. Iterates over each `BriefContent`.
   * @example for await (const { id } of client.each.listCustomerBriefContents({ organizationId: 'harbor', customerId: 1, briefId: 1 })) console.log(id)
   */
  readonly listCustomerBriefContents: (
    input: ListCustomerBriefContentsInput,
    options?: CallOptions,
  ) => AsyncIterable<BriefContent>
  /** The notes on a customer. Iterates over each `CustomerNote`. @example for await (const { id } of client.each.listCustomerNotes({ organizationId: 'harbor', customerId: 1 })) console.log(id) */
  readonly listCustomerNotes: (
    input: ListCustomerNotesInput,
    options?: CallOptions,
  ) => AsyncIterable<CustomerNote>
  /** The signals raised on customers, filtered. Iterates over each `Signal`. @example for await (const { id } of client.each.listSignals({ organizationId: 'harbor' })) console.log(id) */
  readonly listSignals: (input: ListSignalsInput, options?: CallOptions) => AsyncIterable<Signal>
  /** The customers of the organization, filtered. Iterates over each `Customer`. @example for await (const { id } of client.each.listCustomers({ organizationId: 'harbor' })) console.log(id) */
  readonly listCustomers: (input: ListCustomersInput, options?: CallOptions) => AsyncIterable<Customer>
  /**
   * The meetings of a customer, without transcripts. Iterates over each `MeetingSummary`.
   * @example for await (const { id } of client.each.listCustomerMeetings({ organizationId: 'harbor', customerId: 1 })) console.log(id)
   */
  readonly listCustomerMeetings: (
    input: ListCustomerMeetingsInput,
    options?: CallOptions,
  ) => AsyncIterable<MeetingSummary>
}
