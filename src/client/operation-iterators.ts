// Generated from the schemas by `npm run tables`.

import type {
  ActionLogEntry,
  Brief,
  BriefContent,
  Customer,
  CustomerNote,
  MeetingSummary,
  Signal,
  TriggerLogEntry,
} from '../index.ts'
import type { CallOptions } from './call-options.ts'
import type {
  ListAutomationActionLogsInput,
  ListAutomationTriggerLogsInput,
  ListBriefsInput,
  ListCustomerBriefContentsInput,
  ListCustomerNotesInput,
  ListSignalsInput,
  ListCustomersInput,
  ListCustomerMeetingsInput,
} from './operation-inputs.ts'

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
