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
} from '../../service/shapes.ts'
import type { CallOptions, OperationCall, OperationIterator, Page } from './call-options.ts'
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
  /** The member associated with the caller's token. `GET /members/me`. @example const result = await client.getCurrentMember() */
  readonly getCurrentMember: (
    input?: Readonly<Record<string, never>>,
    options?: CallOptions,
  ) => Promise<Member>
  /** The members of the organization. `GET /organizations/{organizationId}/members`. @example const result = await client.listMembers({ organizationId: 'harbor' }) */
  readonly listMembers: OperationCall<ListMembersInput, Member[]>
  /** One member of the organization. `GET /organizations/{organizationId}/members/{memberId}`. @example const result = await client.getMember({ organizationId: 'harbor', memberId: 1 }) */
  readonly getMember: OperationCall<GetMemberInput, Member>
  /**
   * The automations of the organization that are not the child of another. `GET /organizations/{organizationId}/automations`.
   * @example const result = await client.listAutomations({ organizationId: 'harbor' })
   */
  readonly listAutomations: OperationCall<ListAutomationsInput, AutomationSummary[]>
  /**
   * One automation with its triggers, actions and children. `GET /organizations/{organizationId}/automations/{automationId}`.
   * @example const result = await client.getAutomation({ organizationId: 'harbor', automationId: 1 })
   */
  readonly getAutomation: OperationCall<GetAutomationInput, Automation>
  /**
   * The log of an automation's action, newest first. `GET /organizations/{organizationId}/automations/{automationId}/actions/{actionId}/logs`.
   * @example const { items, totalCount } = await client.listAutomationActionLogs({ organizationId: 'harbor', automationId: 1, actionId: 1 })
   */
  readonly listAutomationActionLogs: OperationCall<ListAutomationActionLogsInput, Page<ActionLogEntry>>
  /**
   * The log of an automation's trigger, newest first. `GET /organizations/{organizationId}/automations/{automationId}/triggers/{triggerId}/logs`.
   * @example const { items, totalCount } = await client.listAutomationTriggerLogs({ organizationId: 'harbor', automationId: 1, triggerId: 1 })
   */
  readonly listAutomationTriggerLogs: OperationCall<ListAutomationTriggerLogsInput, Page<TriggerLogEntry>>
  /** The active brief definitions. `GET /organizations/{organizationId}/briefs`. @example const { items, totalCount } = await client.listBriefs({ organizationId: 'harbor' }) */
  readonly listBriefs: OperationCall<ListBriefsInput, Page<Brief>>
  /**
   * The generated contents for the brief on the customer, most recent first. `GET /organizations/{organizationId}/customers/{customerId}/briefs/{briefId}/contents`.
   * @example const { items, totalCount } = await client.listCustomerBriefContents({ organizationId: 'harbor', customerId: 1, briefId: 1 })
   */
  readonly listCustomerBriefContents: OperationCall<ListCustomerBriefContentsInput, Page<BriefContent>>
  /** The custom field definitions of the organization. `GET /organizations/{organizationId}/custom-fields`. @example const result = await client.listCustomFields({ organizationId: 'harbor' }) */
  readonly listCustomFields: OperationCall<ListCustomFieldsInput, CustomFieldDefinition[]>
  /** The role definitions between members and customers. `GET /organizations/{organizationId}/member-roles`. @example const result = await client.listMemberRoles({ organizationId: 'harbor' }) */
  readonly listMemberRoles: OperationCall<ListMemberRolesInput, MemberRoleDefinition[]>
  /**
   * The active note categories, for use when creating a note. `GET /organizations/{organizationId}/note-categories`.
   * @example const result = await client.listNoteCategories({ organizationId: 'harbor' })
   */
  readonly listNoteCategories: OperationCall<ListNoteCategoriesInput, NoteCategory[]>
  /**
   * The notes on a customer. `GET /organizations/{organizationId}/customers/{customerId}/notes`.
   * @example const { items, totalCount } = await client.listCustomerNotes({ organizationId: 'harbor', customerId: 1 })
   */
  readonly listCustomerNotes: OperationCall<ListCustomerNotesInput, Page<CustomerNote>>
  /**
   * Adds a note to a customer. `POST /organizations/{organizationId}/customers/{customerId}/notes`.
   * @example const result = await client.createCustomerNote({ organizationId: 'harbor', customerId: 1, body: { categoryId: 1, content: 'Called them' } })
   */
  readonly createCustomerNote: OperationCall<CreateCustomerNoteInput, CustomerNote>
  /** The products of the organization. `GET /organizations/{organizationId}/products`. @example const result = await client.listProducts({ organizationId: 'harbor' }) */
  readonly listProducts: OperationCall<ListProductsInput, Product[]>
  /**
   * The metrics of a product. `GET /organizations/{organizationId}/products/{productId}/metrics`.
   * @example const result = await client.listProductMetrics({ organizationId: 'harbor', productId: 1 })
   */
  readonly listProductMetrics: OperationCall<ListProductMetricsInput, ProductMetric[]>
  /** The signals raised on customers, filtered. `GET /organizations/{organizationId}/signals`. @example const { items, totalCount } = await client.listSignals({ organizationId: 'harbor' }) */
  readonly listSignals: OperationCall<ListSignalsInput, Page<Signal>>
  /** One signal. `GET /organizations/{organizationId}/signals/{signalId}`. @example const result = await client.getSignal({ organizationId: 'harbor', signalId: 1 }) */
  readonly getSignal: OperationCall<GetSignalInput, Signal>
  /** The customers of the organization, filtered. `GET /organizations/{organizationId}/customers`. @example const { items, totalCount } = await client.listCustomers({ organizationId: 'harbor' }) */
  readonly listCustomers: OperationCall<ListCustomersInput, Page<Customer>>
  /** One customer. `GET /organizations/{organizationId}/customers/{customerId}`. @example const result = await client.getCustomer({ organizationId: 'harbor', customerId: 1 }) */
  readonly getCustomer: OperationCall<GetCustomerInput, Customer>
  /**
   * The meetings of a customer, without transcripts. `GET /organizations/{organizationId}/customers/{customerId}/meetings`.
   * @example const { items, totalCount } = await client.listCustomerMeetings({ organizationId: 'harbor', customerId: 1 })
   */
  readonly listCustomerMeetings: OperationCall<ListCustomerMeetingsInput, Page<MeetingSummary>>
  /**
   * One meeting of a customer, with its transcript. `GET /organizations/{organizationId}/customers/{customerId}/meetings/{meetingId}`.
   * @example const result = await client.getCustomerMeeting({ organizationId: 'harbor', customerId: 1, meetingId: 1 })
   */
  readonly getCustomerMeeting: OperationCall<GetCustomerMeetingInput, Meeting>
}

/** A function for every paginated list, which iterates over its records. */
export interface OperationIterators {
  /**
   * The log of an automation's action, newest first.
   * @example for await (const { id } of client.each.listAutomationActionLogs({ organizationId: 'harbor', automationId: 1, actionId: 1 })) console.log(id)
   */
  readonly listAutomationActionLogs: OperationIterator<ListAutomationActionLogsInput, ActionLogEntry>
  /**
   * The log of an automation's trigger, newest first.
   * @example for await (const { id } of client.each.listAutomationTriggerLogs({ organizationId: 'harbor', automationId: 1, triggerId: 1 })) console.log(id)
   */
  readonly listAutomationTriggerLogs: OperationIterator<ListAutomationTriggerLogsInput, TriggerLogEntry>
  /** The active brief definitions. @example for await (const { id } of client.each.listBriefs({ organizationId: 'harbor' })) console.log(id) */
  readonly listBriefs: OperationIterator<ListBriefsInput, Brief>
  /**
   * The generated contents for the brief on the customer, most recent first.
   * @example for await (const { id } of client.each.listCustomerBriefContents({ organizationId: 'harbor', customerId: 1, briefId: 1 })) console.log(id)
   */
  readonly listCustomerBriefContents: OperationIterator<ListCustomerBriefContentsInput, BriefContent>
  /** The notes on a customer. @example for await (const { id } of client.each.listCustomerNotes({ organizationId: 'harbor', customerId: 1 })) console.log(id) */
  readonly listCustomerNotes: OperationIterator<ListCustomerNotesInput, CustomerNote>
  /** The signals raised on customers, filtered. @example for await (const { id } of client.each.listSignals({ organizationId: 'harbor' })) console.log(id) */
  readonly listSignals: OperationIterator<ListSignalsInput, Signal>
  /** The customers of the organization, filtered. @example for await (const { id } of client.each.listCustomers({ organizationId: 'harbor' })) console.log(id) */
  readonly listCustomers: OperationIterator<ListCustomersInput, Customer>
  /** The meetings of a customer, without transcripts. @example for await (const { id } of client.each.listCustomerMeetings({ organizationId: 'harbor', customerId: 1 })) console.log(id) */
  readonly listCustomerMeetings: OperationIterator<ListCustomerMeetingsInput, MeetingSummary>
}
