// Generated from the schemas by `npm run tables`.

/** An organization. */
export interface OrganizationPath {
  /** The id of the caller's organization. @example 'harbor' */
  readonly organizationId: string
}

/** A customer of an organization. */
export interface CustomerPath extends OrganizationPath {
  /** The id of a customer. @example 1 */
  readonly customerId: number
}

/** A page of a list. */
export interface Pagination {
  /** The number of matches to skip. Default: 0. @example 100 */
  readonly offset?: number | undefined
  /** The maximum number of matches to return. Default: 100. @example 250 */
  readonly limit?: number | undefined
}

/** The parameters of `listMembers`. */
export type ListMembersInput = OrganizationPath

/** The parameters of `getMember`. */
export interface GetMemberInput extends OrganizationPath {
  /** The id of a member. @example 1 */
  readonly memberId: number
}

/** The parameters of `listAutomations`. */
export type ListAutomationsInput = OrganizationPath

/** The parameters of `getAutomation`. */
export interface GetAutomationInput extends OrganizationPath {
  /** The id of an automation. @example 1 */
  readonly automationId: number
}

/** The parameters of `listAutomationActionLogs`. */
export interface ListAutomationActionLogsInput extends OrganizationPath, Pagination {
  /** The id of an automation. @example 1 */
  readonly automationId: number
  /** The id of an action of the automation. @example 1 */
  readonly actionId: number
}

/** The parameters of `listAutomationTriggerLogs`. */
export interface ListAutomationTriggerLogsInput extends OrganizationPath, Pagination {
  /** The id of an automation. @example 1 */
  readonly automationId: number
  /** The id of a trigger of the automation. @example 1 */
  readonly triggerId: number
}

/** The parameters of `listBriefs`. */
export type ListBriefsInput = OrganizationPath & Pagination

/** The parameters of `listCustomerBriefContents`. */
export interface ListCustomerBriefContentsInput extends CustomerPath, Pagination {
  /** The id of a brief definition. @example 1 */
  readonly briefId: number
}

/** The parameters of `listCustomFields`. */
export type ListCustomFieldsInput = OrganizationPath

/** The parameters of `listMemberRoles`. */
export type ListMemberRolesInput = OrganizationPath

/** The parameters of `listNoteCategories`. */
export type ListNoteCategoriesInput = OrganizationPath

/** The parameters of `listCustomerNotes`. */
export type ListCustomerNotesInput = CustomerPath & Pagination

/** The parameters of `createCustomerNote`. */
export interface CreateCustomerNoteInput extends CustomerPath {
  /** The JSON body of the request. @example { categoryId: 1, content: 'Called them' } */
  readonly body: {
    /** The id of an active note category. @example 1 */
    readonly categoryId: number
    /** The text of the note, 1 to 10,000 characters. @example 'Called them' */
    readonly content: string
  }
}

/** The parameters of `listProducts`. */
export type ListProductsInput = OrganizationPath

/** The parameters of `listProductMetrics`. */
export interface ListProductMetricsInput extends OrganizationPath {
  /** The id of a product. @example 1 */
  readonly productId: number
}

/** The parameters of `listSignals`. */
export interface ListSignalsInput extends OrganizationPath, Pagination {
  /** all: every visible customer; team: those where members under a shared manager with the caller hold a role; mine: those where the caller holds a role. Default: `all`. @example 'mine' */
  readonly scope?: 'all' | 'team' | 'mine' | undefined
  /** The signal's status. Default: any status. @example 'active' */
  readonly status?: 'open' | 'inProgress' | 'closed' | 'dismissed' | undefined
}

/** The parameters of `getSignal`. */
export interface GetSignalInput extends OrganizationPath {
  /** The id of a signal. @example 1 */
  readonly signalId: number
}

/** The parameters of `listCustomers`. */
export interface ListCustomersInput extends OrganizationPath, Pagination {
  /** all: every visible customer; team: those where members under a shared manager with the caller hold a role; mine: those where the caller holds a role. Default: `all`. @example 'mine' */
  readonly scope?: 'all' | 'team' | 'mine' | undefined
  /** The status that follows from the customer's products. Default: any status. @example 'active' */
  readonly status?: 'active' | 'onboarding' | 'churned' | 'prospect' | undefined
  /** Updated at or after this UTC date-time, up to now. Default: any time. @example '2026-01-01T00:00Z' */
  readonly updatedSince?: string | undefined
  /** Only customers this member is assigned to in any role. @example 1 */
  readonly memberId?: number | undefined
  /** Narrows memberId to one role, by the id of its definition; must be supplied together with memberId. Default: any role. @example 1 */
  readonly memberRoleId?: number | undefined
  /** The source name; must be supplied together with sourceExternalId. Default: any source. @example 'salesforce' */
  readonly sourceKey?: string | undefined
  /** Customer ids in the external source; must be supplied together with sourceKey. Default: any id. @example ['0015e00002'] */
  readonly sourceExternalId?: readonly string[] | undefined
  /** Segment names. Default: any segment. @example ['Enterprise', 'Mid-Market'] */
  readonly segment?: readonly string[] | undefined
  /** Domains. Default: any domain. @example ['tern.example'] */
  readonly domain?: readonly string[] | undefined
  /** Countries. Default: any country. @example ['Spain'] */
  readonly country?: readonly string[] | undefined
  /** Regions. Default: any region. @example ['Catalonia'] */
  readonly region?: readonly string[] | undefined
  /** Cities. Default: any city. @example ['Barcelona'] */
  readonly city?: readonly string[] | undefined
}

/** The parameters of `getCustomer`. */
export type GetCustomerInput = CustomerPath

/** The parameters of `listCustomerMeetings`. */
export interface ListCustomerMeetingsInput extends CustomerPath, Pagination {
  /** Only meetings starting on or after this UTC date-time. Default: any time. @example '2026-01-01T00:00Z' */
  readonly minStartDate?: string | undefined
}

/** The parameters of `getCustomerMeeting`. */
export interface GetCustomerMeetingInput extends CustomerPath {
  /** The id of one of the customer's meetings. @example 1 */
  readonly meetingId: number
}
