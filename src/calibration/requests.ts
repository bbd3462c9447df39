import { type ChoiceName, choices, type Settings } from '../contract/choices.ts'
import { MAX_INTEGER } from '../contract/fields.ts'
import { problemSchemas } from '../contract/problem-schema.ts'
import { findUnknownNames } from '../contract/query.ts'
import { getContract } from '../resources/contract.ts'
import { type Answer, getOrganization, isSuccess, listRecords, toPathKey } from './answers.ts'
import { type Evidence, findAlternatives } from './evidence.ts'
import { describeType, listVariants } from './schemas.ts'
import { isRejected } from './words.ts'

export interface Facts {
  readonly organizations: ReadonlySet<string>
  readonly missing: ReadonlySet<string>
  /** The ids of members; undefined if no answer lists all of them. */
  readonly memberIds: ReadonlySet<unknown> | undefined
  readonly owners: ReadonlyMap<string, string>
}

export function collectFacts(answers: readonly Answer[]): Facts {
  const successes = answers.filter(isSuccess)
  const hasMembers = successes.some(({ endpoint }) => endpoint.id === 'listMembers')
  const memberIds = listRecords(answers, 'listMembers').map(({ id }) => id)
  return {
    organizations: new Set(successes.flatMap((answer) => getOrganization(answer) ?? [])),
    missing: new Set(answers.flatMap((answer) => (isMissing(answer) ? [toPathKey(answer)] : []))),
    memberIds: hasMembers ? new Set(memberIds) : undefined,
    owners: new Map(
      successes.flatMap((answer) => {
        const [key, organization] = [toOwnerKey(answer), getOrganization(answer)]
        return key === undefined || organization === undefined ? [] : [[key, organization]]
      }),
    ),
  }
}

function isMissing({ endpoint, status, query, parameters }: Answer): boolean {
  if (!endpoint.find || status === 401) return false
  const isBare = status === 404 && Object.keys(query).length === 0
  return isBare || Object.values(parameters).includes(String(MAX_INTEGER))
}

const recordParameters: Readonly<Record<string, string>> = {
  getMember: 'memberId',
  getCustomer: 'customerId',
  getSignal: 'signalId',
  getAutomation: 'automationId',
  listProductMetrics: 'productId',
}

const toOwnerKey = ({ endpoint, parameters }: Answer): string | undefined => {
  const name = recordParameters[endpoint.id]
  return name === undefined ? undefined : `${endpoint.id} ${parameters[name]}`
}

export function compareRequests(
  answers: readonly Answer[],
  facts: Facts,
  best: Settings,
  evidence: Evidence,
): void {
  for (const answer of answers) {
    if (answer.isBodyOnly || answer.method === 'HEAD' || answer.method === 'OPTIONS') continue
    if (answer.status === 401 || answer.status === 429 || answer.status >= 500) continue
    if (answer.status >= 400) compareErrorFormat(answer, evidence)
    compareOrganization(answer, facts, evidence)
    compareQuery(answer, facts, best, evidence)
    if (answer.method === 'POST' && isSuccess(answer)) compareStatus('createStatus', answer, evidence)
  }
  for (const answer of answers) compareCors(answer, evidence)
}

function compareStatus(name: ChoiceName, answer: Answer, evidence: Evidence): void {
  const fitting = findAlternatives(name, (value) => value === answer.status)
  if (fitting.length === 0) evidence.describe(name, `status ${answer.status}`)
  evidence.add(name, fitting, answer)
}

/** Source: assumption A-05. */
function compareErrorFormat(answer: Answer, evidence: Evidence): void {
  const fitting = choices.errorFormat.alternatives.flatMap(({ value }, at) =>
    problemSchemas[value].schema.safeParse(answer.body).success ? [at] : [],
  )
  if (fitting.length === 0) {
    const type = answer.body === undefined ? 'a body that is not JSON' : describeType(answer.body)
    evidence.describe('errorFormat', answer.hasBody ? type : 'no body')
  }
  evidence.add('errorFormat', fitting, answer)
}

/** Source: assumptions. */
function compareOrganization(answer: Answer, { organizations, owners }: Facts, evidence: Evidence): void {
  const { status, endpoint } = answer
  const organization = getOrganization(answer)
  if (organization === undefined || organizations.size === 0 || status < 400 || isRejected(answer)) return
  if (!organizations.has(organization)) return compareStatus('otherOrganization', answer, evidence)
  if (!endpoint.find) return
  const owner = owners.get(toOwnerKey(answer) ?? '')
  const isForeign = owner !== undefined && owner !== organization
  // A status that an absent record never has shows that the record exists.
  if (isForeign || status === 403) compareStatus('foreignRecord', answer, evidence)
}

const queryChoices = ['unknownParameters', 'integers', 'unknownMember', 'singleValues'] as const

/** Source: assumptions. */
function compareQuery(answer: Answer, facts: Facts, best: Settings, evidence: Evidence): void {
  const { organizations, missing } = facts
  const organization = getOrganization(answer)
  if (organization !== undefined && !organizations.has(organization)) return
  if (Object.keys(answer.query).length === 0) return
  const isAccepted = isSuccess(answer)
  // The words of a status are compared elsewhere.
  if (!isAccepted && answer.query['status'] !== undefined) return
  const isValidUnder = (settings: Settings): boolean => isValid(answer, settings, facts)
  if (missing.has(toPathKey(answer))) {
    if (isValidUnder(best) || isAccepted) return
    if (answer.status === 404 || isRejected(answer)) {
      evidence.add('refusals', [answer.status === 404 ? 1 : 0], answer)
    }
  } else if (isAccepted || isRejected(answer)) {
    for (const name of queryChoices) {
      const variants = listVariants(best, name)
      const fitting = findAlternatives(name, (_, at) => isValidUnder(variants[at] ?? best) === isAccepted)
      // If no alternative explains it, something else does.
      if (fitting.length > 0) evidence.add(name, fitting, answer)
    }
  }
  const isViolation = answer.status >= 400 && ![403, 404].includes(answer.status)
  if (isViolation && !isValidUnder(best)) compareStatus('violationStatus', answer, evidence)
}

export function isValid({ endpoint, query }: Answer, settings: Settings, { memberIds }: Facts): boolean {
  const { schemas, query: contract } = getContract(settings).bind(endpoint)
  const { status: _, ...others } = query
  const isKnown =
    settings.unknownParameters === 'ignored' || findUnknownNames(contract, Object.keys(others)).length === 0
  return (
    isKnown && schemas.query.safeParse(others).success && hasMember(others['memberId'], settings, memberIds)
  )
}

function hasMember(memberId: unknown, settings: Settings, memberIds: Facts['memberIds']): boolean {
  if (memberId === undefined || settings.unknownMember === 'empty') return true
  return memberId !== String(MAX_INTEGER) && (memberIds?.has(Number(memberId)) ?? true)
}

/** Source: assumption A-17. */
function compareCors(answer: Answer, evidence: Evidence): void {
  const { origin, allowsOrigin } = answer
  if (allowsOrigin !== undefined) evidence.add('cors', [0], answer)
  else if (origin !== undefined && answer.status < 500) evidence.add('cors', [1], answer)
}
