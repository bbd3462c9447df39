import type { Finding } from '../contract/calibration.ts'
import type { Settings } from '../contract/choices.ts'
import { defaultSettings } from '../contract/settings.ts'
import { isObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'
import { getContract } from '../resources/contract.ts'
import { type Answer, isSuccess, readBody, type ShownRecords } from './answers.ts'
import { findUnstable, isNewestFirst } from './comparisons.ts'
import { type Facts, isValid } from './requests.ts'
import {
  describeKind,
  describeType,
  type Deviation,
  formatFieldPath,
  getWire,
  listExtras,
  listIssues,
} from './schemas.ts'
import { isRejected } from './words.ts'

type AddFinding = (answer: Answer, path: string, observed: string) => void

const MAX_FINDINGS = 1_000

export function listFindings(
  answers: readonly Answer[],
  shown: readonly ShownRecords[],
  exclusive: readonly Answer[],
  facts: Facts,
  best: Settings,
  isDecided: (one: ShownRecords, deviation: Deviation) => boolean,
): readonly Finding[] {
  const findings = new Map<string, { operation: string; path: string; observed: string; seen: Set<Answer> }>()
  const add: AddFinding = (answer, path, observed) => {
    const finding = { operation: answer.endpoint.id, path, observed }
    const create = () => ({ ...finding, seen: new Set<Answer>() })
    getOrCreate(findings, JSON.stringify(finding), create).seen.add(answer)
  }
  for (const one of shown) {
    const schema = getWire(one.shape, best)
    for (const record of one.records) {
      for (const deviation of [...listIssues(schema, record), ...listExtras(schema, record)]) {
        if (isDecided(one, deviation)) continue
        add(one.answer, formatFieldPath(deviation.path), describeKind(deviation))
      }
    }
  }
  for (const answer of answers.filter(isSuccess)) {
    findInBody(answer, add)
    findInPage(answer, best, add)
    findInOrder(answer, add)
  }
  for (const answer of answers) findInQuery(answer, facts, best, add)
  for (const answer of exclusive) {
    const path = answer.endpoint.id === 'listCustomers' ? 'updatedSince' : 'minStartDate'
    add(answer, path, 'excludes the instant itself')
  }
  for (const answer of findUnstable(answers)) add(answer, '', 'another order at each request')
  return [...findings]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_FINDINGS)
    .map(([, { seen, ...finding }]) => ({ ...finding, answers: seen.size }))
}

function findInBody(answer: Answer, add: AddFinding): void {
  const { endpoint, body } = answer
  const { form, strays } = readBody(answer)
  for (const stray of strays) add(answer, '', `a record of type ${describeType(stray)}`)
  if (form === 'other' || (form === 'array' && endpoint.assumes === undefined)) {
    add(answer, '', describeType(body))
  }
  if (form !== 'envelope' || !isObject(body)) return
  for (const [key, value] of Object.entries(body)) {
    if (key !== 'items' && key !== 'totalCount') {
      add(answer, formatFieldPath([key]), describeKind({ kind: 'extra', value }))
    }
  }
}

/** Finds pages with more records than their limit. Source: Limits. */
function findInPage(answer: Answer, best: Settings, add: AddFinding): void {
  if (answer.endpoint.returns !== 'page' || answer.isBodyOnly) return
  const parsed = getContract(best).bind(answer.endpoint).schemas.query.safeParse(answer.query)
  const limit: unknown = parsed.success && isObject(parsed.data) ? parsed.data['limit'] : undefined
  if (typeof limit === 'number' && readBody(answer).records.length > limit) {
    add(answer, 'limit', 'more records than the limit')
  }
}

function findInOrder(answer: Answer, add: AddFinding): void {
  const isDated = readBody(answer).records.every(({ createdDate }) => typeof createdDate === 'string')
  if (isDated && isNewestFirst(answer) === false) add(answer, 'createdDate', 'not newest first')
}

function findInQuery(answer: Answer, facts: Facts, best: Settings, add: AddFinding): void {
  if (answer.isBodyOnly || answer.method !== 'GET' || Object.keys(answer.query).length === 0) return
  const isAccepted = isSuccess(answer)
  if (!isAccepted && (!isRejected(answer) || answer.query['status'] !== undefined)) return
  const isOk = isValid(answer, best, facts)
  if (isOk === isAccepted || (!isAccepted && isValid(answer, defaultSettings, facts) !== isOk)) return
  const names = Object.keys(answer.query)
    .toSorted()
    .map((name) => formatFieldPath([name]))
  const observed = isAccepted ? 'accepted, although it is invalid' : 'rejected, although it is valid'
  add(answer, names.join(', '), observed)
}
