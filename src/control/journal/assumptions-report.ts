import { type AssumptionId, assumptions } from '../../contract/assumptions.ts'
import type { Choice } from '../../contract/choice.ts'
import { type ChoiceName, choices, type Settings } from '../../contract/choices.ts'
import { choiceNames } from '../../contract/settings.ts'
import type { Data } from '../../store/session-data.ts'
import { basisOf } from './assumptions.ts'
import type { Entry } from './entry.ts'
import type { Journal } from './journal.ts'

/** An assumption as people know it. */
export interface NamedAssumption {
  readonly id: AssumptionId
  /** What the document leaves open. */
  readonly subject: string
  /** Under which name it is set; null where it cannot be. */
  readonly name: ChoiceName | null
}

/** An assumption on which requests rest. */
export interface UsedAssumption extends NamedAssumption {
  /** How it is decided now; null where it cannot be set. */
  readonly value: unknown
  /** What it may be decided as instead. Order: the default first. */
  readonly others: readonly unknown[]
  /** How many requests rest on it. */
  readonly count: number
  /** The operations of these requests. Order: by id. */
  readonly operations: readonly string[]
  /** These requests in the session's journal; none where sessions are counted together. Order: as they came; the first 20. */
  readonly requestIds: readonly number[]
}

/** What the requests of a session rest on. */
export interface AssumptionReport {
  /** Order: the most used first, then by id. */
  readonly assumptions: readonly UsedAssumption[]
  /** How many requests were answered, as far as they are known. */
  readonly requests: number
  /** The requests that rest on documented rules only. */
  readonly documented: { readonly count: number; readonly operations: readonly string[] }
  /** How many requests a fault answered or broke off: they say nothing of the service. */
  readonly faulted: number
  /** How many requests made room for younger ones: what they rested on is no longer known. */
  readonly forgotten: number
}

/** The most used first, then by id. */
export function byUse(a: UsedAssumption, b: UsedAssumption): number {
  return b.count - a.count || (a.id < b.id ? -1 : 1)
}

/** How many requests an assumption names. */
const MAX_REQUEST_IDS = 20

/** Where one assumption was used, or none. */
class Uses {
  count = 0
  readonly operations = new Set<string>()
  readonly requestIds: number[] = []

  add({ id, endpoint }: Entry): void {
    this.count += 1
    if (endpoint) this.operations.add(endpoint.id)
    if (this.requestIds.length < MAX_REQUEST_IDS) this.requestIds.push(id)
  }
}

/** Counts what requests rest on. */
export class AssumptionTally {
  readonly #uses = new Map<AssumptionId, Uses>()
  readonly #documented = new Uses()
  #requests = 0
  #faulted = 0
  #forgotten = 0

  /** Counts a request in, where it was answered. @param data the session's */
  add(entry: Entry, data: Data): void {
    const basis = basisOf(entry, data)
    if (!basis) return
    this.#requests += 1
    if (basis === 'fault') this.#faulted += 1
    else if (basis.size === 0) this.#documented.add(entry)
    else for (const id of basis) this.#of(id).add(entry)
  }

  /** Counts every request of a journal in. @param data the session's */
  addAll(journal: Journal, data: Data): void {
    for (const entry of journal.entries()) this.add(entry, data)
  }

  /** Says that requests are no longer known. */
  forget(count: number): void {
    this.#forgotten += count
  }

  /** What was counted, each assumption with its value in some settings. */
  report(settings: Settings): AssumptionReport {
    const used = Array.from(this.#uses, ([id, uses]) => described(id, uses, settings))
    return {
      assumptions: used.toSorted(byUse),
      requests: this.#requests,
      documented: { count: this.#documented.count, operations: [...this.#documented.operations].toSorted() },
      faulted: this.#faulted,
      forgotten: this.#forgotten,
    }
  }

  #of(id: AssumptionId): Uses {
    const uses = this.#uses.get(id) ?? new Uses()
    this.#uses.set(id, uses)
    return uses
  }
}

/** A session, as far as its requests are reported. */
interface Reported {
  readonly requests: Journal
  readonly data: Data
  readonly contract: { readonly settings: Settings }
}

/** What the requests of a session rest on; worked out when it is asked for. */
export function assumptionReport({ requests, data, contract }: Reported): AssumptionReport {
  const tally = new AssumptionTally()
  tally.addAll(requests, data)
  tally.forget(requests.dropped)
  return tally.report(contract.settings)
}

const byName: Readonly<Record<ChoiceName, Choice>> = choices

/** What an assumption is about, and how it is set. */
export function namedAssumption(id: AssumptionId): NamedAssumption {
  const name = choiceNames.find((one) => byName[one].assumption === id) ?? null
  return { id, subject: assumptions[id].subject, name }
}

function described(id: AssumptionId, uses: Uses, settings: Settings): UsedAssumption {
  const named = namedAssumption(id)
  const { name } = named
  const value = name && settings[name]
  const alternatives = name ? byName[name].alternatives.map((alternative) => alternative.value) : []
  return {
    ...named,
    value,
    others: alternatives.filter((other) => JSON.stringify(other) !== JSON.stringify(value)),
    count: uses.count,
    operations: [...uses.operations].toSorted(),
    requestIds: uses.requestIds,
  }
}
