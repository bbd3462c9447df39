import type { Row } from '../src/store/tables.ts'

/** A metric in the catalog, and the range of its values. */
export interface MetricPlan {
  readonly key: string
  readonly name: string
  readonly type: Row<'productMetrics'>['type']
  /** The lowest and the highest value of a number or percentage. */
  readonly range?: readonly [min: number, max: number]
  /** Set if the number of the customer's employees is the upper limit. */
  readonly ofEmployees?: true
  /** The values of a text, worst first. */
  readonly words?: readonly string[]
}

/** A product in the catalog, with the words people use about it. */
export interface ProductPlan {
  readonly key: string
  readonly name: string
  /** The countable results of using the product. */
  readonly activity: string
  /** The people who use it. */
  readonly users: string
  /** Its purpose: "to …". */
  readonly purpose: string
  /** Features that customers ask for. */
  readonly wishes: readonly string[]
  /** Problems with it. */
  readonly troubles: readonly string[]
  readonly metrics: readonly MetricPlan[]
}

const number = (key: string, name: string, range: readonly [number, number]): MetricPlan => ({
  key,
  name,
  type: 'number',
  range,
})
const percent = (key: string, name: string, range: readonly [number, number]): MetricPlan => ({
  key,
  name,
  type: 'percent',
  range,
})
const words = (key: string, name: string, values: readonly string[]): MetricPlan => ({
  key,
  name,
  type: 'text',
  words: values,
})
const boolean = (key: string, name: string): MetricPlan => ({ key, name, type: 'boolean' })

/** The products of the first organization: analytics. */
export const analyticsProducts: readonly ProductPlan[] = [
  {
    key: 'dashboards',
    name: 'Dashboards',
    activity: 'dashboard views',
    users: 'analysts',
    purpose: 'to see the figures of every site on one page',
    wishes: ['row-level permissions', 'scheduled PDF exports', 'nested folders', 'a layout for wall screens'],
    troubles: ['slow loading of large dashboards', 'wrong totals after a filter', 'exports that time out'],
    metrics: [
      { ...number('activeUsers', 'Active users', [3, 480]), ofEmployees: true },
      percent('adoptionRate', 'Adoption rate', [8, 97]),
      number('dashboardsPublished', 'Dashboards published', [1, 160]),
      boolean('singleSignOn', 'Single sign-on in use'),
    ],
  },
  {
    key: 'dataHub',
    name: 'Data Hub',
    activity: 'synced tables',
    users: 'data engineers',
    purpose: 'to bring the data of every system into one place',
    wishes: ['an SAP connector', 'incremental sync for Oracle', 'column masking', 'alerts on schema changes'],
    troubles: [
      'nightly syncs that stop halfway',
      'duplicate rows after a resync',
      'a connector that loses its login',
    ],
    metrics: [
      number('connectedSources', 'Connected sources', [1, 42]),
      number('rowsPerDay', 'Rows per day', [1200, 5_400_000]),
      words('syncStatus', 'Sync status', ['failing', 'delayed', 'healthy']),
    ],
  },
  {
    key: 'alerts',
    name: 'Alerts',
    activity: 'acknowledged alerts',
    users: 'shift leads',
    purpose: 'to hear of a problem before the customer does',
    wishes: [
      'quiet hours for each team',
      'delivery to Microsoft Teams',
      'alert groups',
      'thresholds by season',
    ],
    troubles: [
      'alerts that arrive twice',
      'alerts that arrive an hour late',
      'thresholds that reset themselves',
    ],
    metrics: [
      number('alertsPerWeek', 'Alerts per week', [2, 900]),
      percent('acknowledgedShare', 'Acknowledged alerts', [12, 99]),
      boolean('onCallConfigured', 'On-call rota configured'),
    ],
  },
  {
    key: 'forecasting',
    name: 'Forecasting',
    activity: 'forecast runs',
    users: 'planners',
    purpose: 'to plan stock and staff three months ahead',
    wishes: [
      'holiday calendars for each site',
      'a comparison of scenarios',
      'weekly retraining',
      'CSV exports',
    ],
    troubles: [
      'forecasts that ignore promotions',
      'model runs that never finish',
      'a jump after the clock change',
    ],
    metrics: [
      percent('forecastAccuracy', 'Forecast accuracy', [48, 96]),
      number('modelsInUse', 'Models in use', [1, 24]),
      words('planningCycle', 'Planning cycle', ['none', 'quarterly', 'monthly', 'weekly']),
    ],
  },
  {
    key: 'embedded',
    name: 'Embedded Analytics',
    activity: 'embedded views',
    users: 'developers',
    purpose: 'to show charts inside their own portal',
    wishes: ['theming for each tenant', 'a React component', 'signed URLs', 'a sandbox workspace'],
    troubles: ['charts that flicker on tablets', 'sessions that expire too early'],
    metrics: [
      number('embeddedViews', 'Embedded views', [150, 260_000]),
      boolean('apiEnabled', 'API enabled'),
    ],
  },
  {
    key: 'assistant',
    name: 'Assistant',
    activity: 'questions asked',
    users: 'managers',
    purpose: 'to get an answer without waiting for an analyst',
    wishes: ['answers in German', 'sources under each answer', 'saved questions', 'a limit by department'],
    troubles: ['answers that mix up two sites', 'questions that time out'],
    metrics: [
      number('questionsPerWeek', 'Questions per week', [4, 1400]),
      percent('helpfulAnswers', 'Helpful answers', [35, 98]),
      words('answerQuality', 'Answer quality', ['poor', 'mixed', 'good']),
    ],
  },
]

/** The products of the other organizations: contract management. */
export const contractProducts: readonly ProductPlan[] = [
  {
    key: 'templates',
    name: 'Templates',
    activity: 'documents created',
    users: 'paralegals',
    purpose: 'to write the same contract the same way everywhere',
    wishes: ['conditional clauses', 'a brand for each subsidiary', 'bilingual templates', 'locked sections'],
    troubles: ['numbering that restarts by itself', 'lost formatting in Word exports'],
    metrics: [
      number('documentsPerMonth', 'Documents per month', [5, 2600]),
      percent('templateShare', 'Documents from a template', [10, 98]),
      boolean('brandApproved', 'Brand approved'),
    ],
  },
  {
    key: 'signatures',
    name: 'Signatures',
    activity: 'signature requests',
    users: 'contract managers',
    purpose: 'to close a contract without paper',
    wishes: ['qualified signatures', 'bulk sending', 'reminders by text message', 'signing order by role'],
    troubles: ['signature mails in the spam folder', 'links that expire over the weekend'],
    metrics: [
      number('envelopesPerMonth', 'Envelopes per month', [4, 3100]),
      percent('completionRate', 'Completion rate', [41, 99]),
      words('signatureLevel', 'Signature level', ['simple', 'advanced', 'qualified']),
    ],
  },
  {
    key: 'approvals',
    name: 'Approvals',
    activity: 'approval runs',
    users: 'approvers',
    purpose: 'to know who agreed to what, and when',
    wishes: ['deputies during holidays', 'parallel approvals', 'limits by amount', 'approval from a phone'],
    troubles: ['approvals that wait for someone who left', 'reminders that go to the wrong person'],
    metrics: [
      percent('onTimeRate', 'Approvals on time', [22, 99]),
      boolean('delegationEnabled', 'Delegation enabled'),
    ],
  },
  {
    key: 'clauses',
    name: 'Clause Library',
    activity: 'clause lookups',
    users: 'lawyers',
    purpose: 'to start from wording that was approved before',
    wishes: ['version history', 'clauses by jurisdiction', 'suggested fallbacks', 'export to Word'],
    troubles: ['search that misses German umlauts', 'old versions at the top of the list'],
    metrics: [
      number('approvedClauses', 'Approved clauses', [12, 840]),
      percent('reuseRate', 'Reuse rate', [6, 93]),
      words('reviewStatus', 'Review status', ['overdue', 'due', 'current']),
    ],
  },
  {
    key: 'archive',
    name: 'Archive',
    activity: 'retrieved documents',
    users: 'auditors',
    purpose: 'to find any signed contract within a minute',
    wishes: ['retention by country', 'full-text search in scans', 'a read-only role', 'legal hold'],
    troubles: ['scans without text', 'uploads that stop at 2 GB'],
    metrics: [
      number('storedDocuments', 'Stored documents', [200, 410_000]),
      boolean('legalHold', 'Legal hold set'),
    ],
  },
  {
    key: 'redline',
    name: 'Redline',
    activity: 'reviewed drafts',
    users: 'negotiators',
    purpose: 'to see what the other side changed, and what it means',
    wishes: [
      'comparison of scans',
      'comments for outside counsel',
      'a summary of changes',
      'tables side by side',
    ],
    troubles: ['comparisons that miss moved text', 'comments that vanish on import'],
    metrics: [
      number('draftsPerMonth', 'Drafts per month', [2, 760]),
      percent('acceptedChanges', 'Accepted changes', [14, 92]),
    ],
  },
]
