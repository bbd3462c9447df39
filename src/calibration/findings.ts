import type { Finding } from '../contract/calibration.ts'
import type { Settings } from '../contract/choices.ts'
import { defaultSettings } from '../contract/settings.ts'
import { isObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'
import { getContract } from '../resources/contract.ts'
import { tables } from '../store/tables.ts'
import { type Answer, isSuccess, readBody, type ShownRecords } from './answers.ts'
import { findDirections, findUnstable } from './comparisons.ts'
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

export class Findings {
  readonly #answers = new Map<
    string,
    { readonly finding: Omit<Finding, 'answers'>; readonly answers: Set<Answer> }
  >()

  add(answer: Answer, path: string, observed: string): void {
    const finding = { operation: answer.endpoint.id, path, observed }
    const create = () => ({ finding, answers: new Set<Answer>() })
    getOrCreate(this.#answers, JSON.stringify(finding), create).answers.add(answer)
  }

  list(): readonly Finding[] {
    const keys = [...this.#answers.keys()].toSorted()
    return keys.slice(0, MAX_FINDINGS).flatMap((key) => {
      const one = this.#answers.get(key)
      return one ? [{ ...one.finding, answers: one.answers.size }] : []
    })
  }
}

const MAX_FINDINGS = 1_000

export function findInFields(
  shown: readonly ShownRecords[],
  best: Settings,
  isDecided: (one: ShownRecords, deviation: Deviation) => boolean,
  findings: Findings,
): void {
  for (const one of shown) {
    const { answer, shape, records } = one
    const schema = getWire(shape, best)
    for (const record of records) {
      for (const deviation of [...listIssues(schema, record), ...listExtras(schema, record)]) {
        if (isDecided(one, deviation)) continue
        findings.add(answer, formatFieldPath(deviation.path), describeKind(deviation))
      }
    }
  }
}

export function findInAnswers(
  answers: readonly Answer[],
  exclusive: readonly Answer[],
  facts: Facts,
  best: Settings,
  findings: Findings,
): void {
  for (const answer of answers) {
    if (!isSuccess(answer)) continue
    findInBody(answer, findings)
    findInPage(answer, best, findings)
    findInOrder(answer, findings)
  }
  for (const answer of answers) findInQuery(answer, facts, best, findings)
  for (const answer of exclusive) {
    const path = answer.endpoint.id === 'listCustomers' ? 'updatedSince' : 'minStartDate'
    findings.add(answer, path, 'excludes the instant itself')
  }
  for (const answer of findUnstable(answers)) findings.add(answer, '', 'another order at each request')
}

function findInBody(answer: Answer, findings: Findings): void {
  const { endpoint, body } = answer
  const { form, strays } = readBody(answer)
  for (const stray of strays) findings.add(answer, '', `a record of type ${describeType(stray)}`)
  if (form === 'other' || (form === 'array' && endpoint.assumes === undefined)) {
    findings.add(answer, '', describeType(body))
  }
  if (form !== 'envelope' || !isObject(body)) return
  for (const [key, value] of Object.entries(body)) {
    if (key !== 'items' && key !== 'totalCount') {
      findings.add(answer, formatFieldPath([key]), describeKind({ kind: 'extra', value }))
    }
  }
}

/** Finds pages with more records than their limit. Source: Limits. */
function findInPage(answer: Answer, best: Settings, findings: Findings): void {
  if (answer.endpoint.returns !== 'page' || answer.isBodyOnly) return
  const parsed = getContract(best).bind(answer.endpoint).schemas.query.safeParse(answer.query)
  const limit: unknown = parsed.success && isObject(parsed.data) ? parsed.data['limit'] : undefined
  if (typeof limit === 'number' && readBody(answer).records.length > limit) {
    findings.add(answer, 'limit', 'more records than the limit')
  }
}

/** Finds logs that are not newest first. Source: assumption A-42. */
function findInOrder(answer: Answer, findings: Findings): void {
  const { returns, resource } = answer.endpoint
  if (returns === 'one' || tables[resource.table].order === 'by id') return
  const { records } = readBody(answer)
  if (records.length < 2 || !records.every(({ createdDate }) => typeof createdDate === 'string')) return
  const isEqual = records.every(({ createdDate }) => createdDate === records[0]?.['createdDate'])
  if (!isEqual && !findDirections(records, 'createdDate').includes('descending')) {
    findings.add(answer, 'createdDate', 'not newest first')
  }
}

function findInQuery(answer: Answer, facts: Facts, best: Settings, findings: Findings): void {
  if (answer.isBodyOnly || answer.method !== 'GET' || Object.keys(answer.query).length === 0) return
  const isAccepted = isSuccess(answer)
  if (!isAccepted && (!isRejected(answer) || answer.query['status'] !== undefined)) return
  const isOk = isValid(answer, best, facts)
  if (isOk === isAccepted || (!isAccepted && isValid(answer, defaultSettings, facts) !== isOk)) return
  const names = Object.keys(answer.query)
    .toSorted()
    .map((name) => formatFieldPath([name]))
  findings.add(
    answer,
    names.join(', '),
    isAccepted ? 'accepted, although it is invalid' : 'rejected, although it is valid',
  )
}
