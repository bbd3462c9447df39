import type { ChoiceName } from '../contract/choices.ts'
import type { SignalStatus } from '../contract/statuses.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { countEqual } from '../core/maps.ts'
import { Signal } from '../resources/signals.ts'
import { type Answer, isSuccess, type ShownRecords } from './answers.ts'
import { type Evidence, findAlternatives, type Survivors } from './evidence.ts'

/** A word of an enumeration: letters only, so that no name, number or address passes for one. */
const WORD = /^[A-Za-z]{1,30}(?:[ _-][A-Za-z]{1,30}){0,3}$/

const MAX_WORDS = 20

function listWords(
  values: Iterable<unknown>,
  isElsewhere: (word: string) => boolean,
): readonly string[] | undefined {
  const words = new Set<string>()
  for (const value of values) {
    if (typeof value !== 'string' || !WORD.test(value)) return undefined
    words.add(value)
    if (words.size > MAX_WORDS) return undefined
  }
  return [...words].some(isElsewhere) ? undefined : [...words].toSorted()
}

/** Compares the status words of signals. Returns the words that no alternative has. Source: assumption A-10. */
export function compareSignalStatuses(
  shown: readonly ShownRecords[],
  evidence: Evidence,
): Record<string, SignalStatus> | undefined {
  const signals = shown.filter(({ shape }) => shape === Signal)
  const statuses = new Set(signals.flatMap(({ records }) => records.map(({ status }) => status)))
  if (statuses.size === 0) return undefined
  const fitting = findWords('signalStatuses', (names) =>
    [...statuses].every((status) => names.some((name) => name === status)),
  )
  for (const { answer, records } of signals) {
    evidence.add('signalStatuses', fitting, answer, records.length)
  }
  if (fitting.length > 0) return undefined
  evidence.describe('signalStatuses', 'status: other words')
  const records = signals.flatMap((one) => one.records)
  const words = listWords(statuses, (word) =>
    records.some((record) =>
      Object.entries(record).some(([key, value]) => key !== 'status' && value === word),
    ),
  )
  if (!words) return undefined
  const none = countEqual(records.map(readReason))[0]?.[0]
  const guess = (word: string): SignalStatus =>
    guessMeaning(
      records.filter(({ status }) => status === word),
      none,
    )
  return Object.fromEntries(words.map((word) => [word, guess(word)]))
}

function guessMeaning(signals: readonly JsonObject[], none: unknown): SignalStatus {
  const isMost = (has: (signal: JsonObject) => boolean): boolean =>
    signals.filter(has).length > signals.length / 2
  if (!isMost(({ closedDate }) => typeof closedDate === 'string' && closedDate !== '')) return 'open'
  return isMost((signal) => readReason(signal) !== none) ? 'dismissed' : 'closed'
}

const readReason = ({ dismissalReason }: JsonObject): unknown =>
  isObject(dismissalReason) ? dismissalReason['id'] : dismissalReason

/** A word that no service has, to find out whether it checks the words of a filter at all. */
export const NO_STATUS = 'workspace-sandbox-calibrate'

/** Compares the words of a filter that a list accepts and rejects. Returns accepted words that no alternative has. */
export function compareFilterWords(
  name: 'signalStatuses' | 'customerStatuses',
  answers: readonly Answer[],
  evidence: Evidence,
): readonly string[] | undefined {
  const operation = name === 'signalStatuses' ? 'listSignals' : 'listCustomers'
  const requests = answers.flatMap((answer) => {
    const word = answer.query['status']
    return answer.endpoint.id === operation && typeof word === 'string' && word !== ''
      ? [{ answer, word }]
      : []
  })
  const accepted = requests.filter(({ answer }) => isSuccess(answer))
  const rejected = requests.filter(({ answer }) => isRejected(answer))
  if (accepted.length === 0 || accepted.some(({ word }) => word === NO_STATUS)) return undefined
  const fitting = findWords(
    name,
    (names) =>
      accepted.every(({ word }) => names.includes(word)) &&
      !rejected.some(({ word }) => names.includes(word)),
  )
  for (const { answer } of [...accepted, ...rejected]) evidence.add(name, fitting, answer)
  if (fitting.length > 0) return undefined
  evidence.describe(name, 'status: other words')
  return listWords(
    accepted.map(({ word }) => word),
    () => false,
  )
}

export const isRejected = ({ status }: Answer): boolean => status === 400 || status === 422

const findWords = (name: ChoiceName, fits: (words: readonly string[]) => boolean): Survivors =>
  findAlternatives(name, (value) => Array.isArray(value) && fits(value.map(String)))
