export interface FieldText {
  readonly description?: string
  readonly default?: string
  /** A value, as TypeScript; required unless the description in the schema has one. */
  readonly example?: string
  /** The TypeScript type, if JSON Schema cannot express it. */
  readonly type?: string
}

export type FieldTexts = Readonly<Record<string, FieldText>>

export const datasetTexts: FieldTexts = {
  fixture: { example: "{ customers: [{ id: 900, name: 'Tern & Co' }] }" },
  now: { example: "'2026-03-01T09:00:00Z'", type: 'string' },
}

const assumptions: FieldText = {
  description: 'Overrides of assumptions: facts that you know about the real service, by name',
  default: 'none',
  example: "{ errorFormat: 'message' }",
  type: 'PartialSettings',
}

const present: FieldText = {
  description: 'Functions that show records in another form than the one that the sandbox assumes, by record',
  default: 'none',
  example: '{ product: ({ name, ...rest }) => ({ ...rest, title: name }) }',
  type: 'Present',
}

export const sandboxTexts: FieldTexts = { ...datasetTexts, assumptions, present }

export const startTexts: FieldTexts = {
  ...datasetTexts,
  port: {
    description: 'The port to listen on; 0 picks a free one',
    default: '4500, or the next free one',
    example: '0',
  },
  host: {
    description: 'The name or address to listen on; others than loopback require `adminToken`',
    default: 'every loopback address',
    example: "'0.0.0.0'",
  },
  publicUrl: {
    description: 'The URL under which others reach the server, as behind a proxy',
    default: 'the address that it listens on',
    example: "'https://sandbox.example'",
  },
  adminToken: {
    description: 'The bearer token that the control plane requires',
    default: 'none',
    example: "'secret'",
  },
  allowHost: {
    description: 'More host names that the control plane answers to',
    default: 'none',
    example: "['sandbox.test']",
  },
  allowOrigin: {
    description: 'More origins whose pages may call the control plane',
    default: 'none',
    example: "['http://localhost:5173']",
  },
  state: {
    description:
      'A saved state to start from, or the path of its file; it also gives the options of the dataset that are left out',
    default: 'none',
    example: "'state.json'",
  },
  data: {
    description: 'The folder that stores the dataset and the changes of the default session',
    default: 'nothing is stored; the command uses `.workspace-sandbox`',
    example: "'.workspace-sandbox'",
  },
  clockRate: {
    description: "How many times as fast as the real time the clock runs; requires `now: 'system'`",
    default: '1',
    example: '60',
  },
  memory: { description: 'Keeps the data in memory only', default: 'false', example: 'true' },
  sessionTtl: {
    description: 'The time without requests after which a session expires, in minutes',
    default: '30',
    example: '5',
  },
  requireSession: {
    description: 'Rejects requests to the service that name no session',
    default: 'false',
    example: 'true',
  },
  assumptions,
  present,
  log: {
    description: 'Prints a line for each request to standard error',
    default: 'false',
    example: 'true',
  },
  json: {
    description: 'Prints one line of JSON once the server listens',
    default: 'false',
    example: 'true',
  },
  quiet: { description: 'Prints nothing to standard output', default: 'false', example: 'true' },
}

export const sessionTexts: FieldTexts = {
  assumptions: { type: 'PartialSettings' },
  faults: {
    example: "[{ operationId: 'listCustomers', status: 503, times: 1 }]",
    type: 'FaultInput | readonly FaultInput[]',
  },
}

const operationId: FieldText = { type: 'OperationId' }

export const faultTexts: FieldTexts = {
  operationId,
  delayMs: { example: '{ min: 500, max: 2_000 }' },
  min: { description: 'The shortest delay, in milliseconds', example: '500' },
  max: { description: 'The longest delay, in milliseconds', example: '2_000' },
  requests: { description: 'The number of requests that a window allows', example: '10' },
  windowSeconds: { description: 'The length of a window, in seconds', example: '60' },
  profile: { type: 'ProfileName' },
}

export const scenarioTexts: FieldTexts = {
  name: { type: 'ScenarioName' },
  on: { type: 'OperationId' },
}

export const ruleTexts: FieldTexts = {
  operationId,
  inOrder: { type: 'readonly RequestFields[]' },
  since: { default: 'from the first request on', example: '12' },
  offset: { description: 'The number of matching requests to skip', default: '0', example: '100' },
  limit: { description: 'The maximum number of requests, up to 1,000', default: '1000', example: '10' },
}

export const explainTexts: FieldTexts = {
  path: {
    description: 'Path and query as a client would send them, with or without `/v1`',
    example: "'/organizations/harbor/customers?scope=mine'",
  },
  token: { description: 'The token of the caller', example: "'sbx_harbor_1'" },
  requestId: {
    description: 'The id of a request in the journal, whose recorded response is explained',
    example: '7',
  },
  method: { description: 'The HTTP method, in capitals', default: '`GET`', example: "'POST'" },
  id: {
    description: 'The id of the record that should or should not be in the response',
    default: 'the response as a whole is explained',
    example: '12',
  },
}

export const parameterTexts: FieldTexts = {
  organizationId: { description: "The id of the caller's organization", example: "'harbor'" },
  memberId: { description: 'The id of a member', example: '1' },
  automationId: { description: 'The id of an automation', example: '1' },
  actionId: { description: 'The id of an action of the automation', example: '1' },
  triggerId: { description: 'The id of a trigger of the automation', example: '1' },
  customerId: { description: 'The id of a customer', example: '1' },
  briefId: { description: 'The id of a brief definition', example: '1' },
  productId: { description: 'The id of a product', example: '1' },
  signalId: { description: 'The id of a signal', example: '1' },
  meetingId: { description: "The id of one of the customer's meetings", example: '1' },
  offset: { default: '0', example: '100' },
  limit: { default: '100', example: '250' },
  scope: { default: '`all`', example: "'mine'" },
  status: { default: 'any status', example: "'active'" },
  updatedSince: { default: 'any time', example: "'2026-01-01T00:00Z'" },
  minStartDate: { default: 'any time', example: "'2026-01-01T00:00Z'" },
  memberRoleId: { default: 'any role', example: '1' },
  sourceKey: { default: 'any source', example: "'salesforce'" },
  sourceExternalId: { default: 'any id', example: "['0015e00002']" },
  segment: { default: 'any segment', example: "['Enterprise', 'Mid-Market']" },
  domain: { default: 'any domain', example: "['tern.example']" },
  country: { default: 'any country', example: "['Spain']" },
  region: { default: 'any region', example: "['Catalonia']" },
  city: { default: 'any city', example: "['Barcelona']" },
  body: { description: 'The JSON body of the request', example: "{ categoryId: 1, content: 'Called them' }" },
  categoryId: { example: '1' },
  content: { description: 'The text of the note, 1 to 10,000 characters', example: "'Called them'" },
}

export const recordTexts: FieldTexts = {
  id: { description: 'The id, unique in its table', example: '900' },
  organizationId: { description: 'The organization', default: 'the first organization', example: "'harbor'" },
  customerId: { description: 'The id of a customer', example: '900' },
}
