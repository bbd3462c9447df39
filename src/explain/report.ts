import * as z from 'zod'

import { type AssumptionId, assumptionIds, assumptions } from '../contract/assumptions.ts'
import type { Verdicts } from '../contract/calibration.ts'
import { choices, type Settings } from '../contract/choices.ts'
import { choiceNames } from '../contract/settings.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import type { Entry } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { JournalEntry, toJournalEntry } from '../journal/view.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Data } from '../store/session-data.ts'
import { type Dependencies, findDependencies } from './dependencies.ts'

export const NamedAssumption = lazyObject(() => ({
  id: z.enum(assumptionIds),
  subject: z.string(),
  /** The name to set it by; null if it cannot be set. */
  name: z.enum(choiceNames).nullable(),
}))
export type NamedAssumption = z.infer<typeof NamedAssumption>

/** The observations of a real tenant that support the value of an assumption. */
const Evidence = lazyObject(() => ({ answers: z.int(), records: z.int() }))
export type Evidence = z.infer<typeof Evidence>

/** An assumption that requests depend on. */
export const UsedAssumption = lazyObject(() => ({
  ...NamedAssumption.shape,
  /** The current value; null if it cannot be set. */
  value: z.unknown(),
  /** The alternative values. Order: the default first. */
  others: z.array(z.unknown()),
  count: z.int(),
  /** The operations of these requests. Order: by id. */
  operations: z.array(z.string()),
  /** The ids of the first 20 of these requests in the journal; empty if several sessions are counted together. */
  requestIds: z.array(z.int()),
  /** The names of the first 20 tests that depend on it, if the report counts tests. Order: by name. */
  tests: z.array(z.string()).optional(),
  /** The number of answers and records of a real tenant that show its value; absent if none was observed. */
  evidence: Evidence.optional(),
})).meta({ id: 'UsedAssumption' })
export type UsedAssumption = z.infer<typeof UsedAssumption>

export const AssumptionReport = lazyObject(() => ({
  /** Order: the most used first, then by id. */
  assumptions: z.array(UsedAssumption),
  /** The assumptions that a calibration has observed, in the same order; absent without any. */
  observed: z.array(UsedAssumption).optional(),
  requests: z.int(),
  /** The requests that depend on documented rules only, or on observed assumptions. */
  documented: z.object({ count: z.int(), operations: z.array(z.string()) }),
  /** The number of responses that faults replaced or broke; these say nothing about the service. */
  faulted: z.int(),
  /** How many requests the journal has dropped, so that their assumptions are unknown. */
  forgotten: z.int(),
}))
export type AssumptionReport = z.infer<typeof AssumptionReport>

export const RequestBasis = lazyObject(() => ({
  /** True if a fault replaced or broke the response, which then says nothing about the service. */
  isFault: z.boolean(),
  /** Empty if the response depends on documented rules only, or on a fault. Order: by id. */
  assumptions: z.array(NamedAssumption),
}))
export type RequestBasis = z.infer<typeof RequestBasis>

export const ExaminedRequest = lazyObject(() => ({
  ...JournalEntry.shape,
  /** Null until the request is answered, and if the client gave up. */
  basis: RequestBasis.nullable(),
}))
export type ExaminedRequest = z.infer<typeof ExaminedRequest>

export function examineRequest(entry: Entry, session: string, data: Data): ExaminedRequest {
  return { ...toJournalEntry(entry, session), basis: toBasis(findDependencies(entry, data)) }
}

function toBasis(dependencies: Dependencies | undefined): RequestBasis | null {
  if (dependencies === undefined) return null
  const isFault = dependencies === 'fault'
  const ids = isFault ? [] : [...dependencies].toSorted()
  return { isFault, assumptions: ids.map(nameAssumption) }
}

function nameAssumption(id: AssumptionId): NamedAssumption {
  const name = choiceNames.find((one) => choices[one].assumption === id) ?? null
  return { id, subject: assumptions[id].subject, name }
}

function reportRequest(
  entry: Entry,
  data: Data,
  settings: Settings,
  verdicts?: Verdicts,
): AssumptionReport | undefined {
  const dependencies = findDependencies(entry, data)
  if (!dependencies) return undefined
  const isFault = dependencies === 'fault'
  const operations = entry.endpoint ? [entry.endpoint.id] : []
  const use = { count: 1, operations }
  const used = isFault
    ? []
    : Array.from(dependencies, (id): UsedAssumption => {
        const one = { ...nameSetting(id, settings), ...use, requestIds: [entry.id] }
        const evidence = findEvidence(one, verdicts, settings.shapes)
        return { ...one, ...(evidence && { evidence }) }
      })
  const assumed = used.filter(({ evidence }) => !evidence)
  const observed = used.filter(({ evidence }) => evidence)
  return {
    assumptions: assumed,
    ...(observed.length > 0 && { observed }),
    requests: 1,
    documented: !isFault && assumed.length === 0 ? use : { count: 0, operations: [] },
    faulted: isFault ? 1 : 0,
    forgotten: 0,
  }
}

export function findEvidence(
  { id, name, value }: Pick<UsedAssumption, 'id' | 'name' | 'value'>,
  verdicts: Verdicts = {},
  shapes?: Settings['shapes'],
): Evidence | undefined {
  const { verdict, value: observed, answers = 0, records = 0 } = verdicts[id] ?? {}
  if (verdict === 'otherwise' && shapes?.list(id)) return { answers, records }
  const isCertain = verdict === 'confirmed' || verdict === 'decided'
  if (!isCertain || name === null) return undefined
  const expected = observed ?? choices[name].alternatives[0].value
  return JSON.stringify(expected) === JSON.stringify(value) ? { answers, records } : undefined
}

function nameSetting(
  id: AssumptionId,
  settings: Settings,
): NamedAssumption & Pick<UsedAssumption, 'value' | 'others'> {
  const named = nameAssumption(id)
  const value = named.name && settings[named.name]
  const values = named.name ? choices[named.name].alternatives.map((alternative) => alternative.value) : []
  const others = values.filter((other) => JSON.stringify(other) !== JSON.stringify(value))
  return { ...named, value, others }
}

interface ReportedSession {
  readonly requests: Journal
  readonly data: Data
  readonly contract: { readonly settings: Settings }
}

export function reportAssumptions(
  { requests, data, contract }: ReportedSession,
  verdicts?: Verdicts,
): AssumptionReport {
  const reports = requests
    .entries()
    .flatMap((entry) => reportRequest(entry, data, contract.settings, verdicts) ?? [])
  return { ...mergeReports(reports), forgotten: requests.dropped }
}

const MAX_LISTED = 20

function mergeReports(reports: readonly AssumptionReport[]): AssumptionReport {
  const sum = (read: (report: AssumptionReport) => number): number =>
    reports.reduce((total, report) => total + read(report), 0)
  const observed = mergeUses(reports.flatMap((report) => report.observed ?? []))
  return {
    assumptions: mergeUses(reports.flatMap((report) => report.assumptions)),
    ...(observed.length > 0 && { observed }),
    requests: sum(({ requests }) => requests),
    documented: {
      count: sum(({ documented }) => documented.count),
      operations: union(reports.map(({ documented }) => documented.operations)),
    },
    faulted: sum(({ faulted }) => faulted),
    forgotten: sum(({ forgotten }) => forgotten),
  }
}

const nothing: Pick<UsedAssumption, 'count' | 'operations' | 'requestIds' | 'tests'> = {
  count: 0,
  operations: [],
  requestIds: [],
}

function mergeUses<U extends UsedAssumption>(uses: readonly U[]): U[] {
  const used = new Map<AssumptionId, U>()
  for (const one of uses) {
    const { count, operations, requestIds, tests } = used.get(one.id) ?? nothing
    const names = union([tests ?? [], one.tests ?? []]).slice(0, MAX_LISTED)
    used.set(one.id, {
      ...one,
      ...(names.length > 0 && { tests: names }),
      count: count + one.count,
      operations: union([operations, one.operations]),
      requestIds: [...requestIds, ...one.requestIds].slice(0, MAX_LISTED),
    })
  }
  return [...used.values()].toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
}

/** Merges the reports of several sessions; the ids of their requests are left out, because they are not unique. */
export function mergeSessions(reports: readonly AssumptionReport[]): AssumptionReport {
  const merged = mergeReports(reports)
  const { observed } = merged
  return {
    ...merged,
    assumptions: withoutIds(merged.assumptions),
    ...(observed && { observed: withoutIds(observed) }),
  }
}

/**
 * Starts to count the assumptions behind the responses of all sessions, including sessions that end.
 * @returns a function that reports the count so far
 */
export function collectAssumptions(state: SandboxState): () => AssumptionReport {
  const { contract } = state
  let dropped = mergeReports([])
  state.countDropped = (entry, data) => {
    const report = reportRequest(entry, data, contract.settings, state.verdicts)
    if (report) dropped = mergeReports([dropped, report])
  }
  return () => {
    const reports = [state.defaultSession, ...state.sessions.list()].map(({ requests, data }) => {
      return { ...reportAssumptions({ requests, data, contract }, state.verdicts), forgotten: 0 }
    })
    return mergeSessions([dropped, ...reports])
  }
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].toSorted()

const withoutIds = <U extends UsedAssumption>(uses: readonly U[]): U[] =>
  uses.map((one) => ({ ...one, requestIds: [] }))
