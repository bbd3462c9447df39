import { SandboxError } from '../core/errors.ts'
import { didYouMean } from '../core/nearest.ts'
import { readName } from '../core/words.ts'

export type StatesSnapshot<S> = { readonly states: readonly S[]; readonly count: number } | undefined

const MAX_LISTED_IDS = 20

/** The faults or the scenarios of a session. Their ids count them, and are not used again. */
export abstract class ActiveStates<S extends { readonly id: string }, D> {
  readonly #noun: 'fault' | 'scenario'
  protected states: readonly S[] = []
  isEmpty = true
  #count = 0
  revision = 0

  constructor(noun: 'fault' | 'scenario') {
    this.#noun = noun
  }

  /** Copies a state, which changes as it acts. */
  protected abstract readonly copy: (state: S) => S

  /** Describes a state to a user. */
  protected abstract readonly describe: (state: S) => D

  list(): D[] {
    return this.states.map(this.describe)
  }

  get(id: string): D {
    return this.describe(this.#find(id))
  }

  remove(id: string): D {
    const removed = this.#find(id)
    this.replace(this.states.filter((state) => state !== removed))
    return this.describe(removed)
  }

  clear(): void {
    this.replace([])
  }

  /** Returns the id of a new state, by its place among those that are added together. */
  protected nextId(at = 0): string {
    return `${this.#noun}-${this.#count + at + 1}`
  }

  protected replace(states: readonly S[], added = 0): void {
    this.states = states
    this.isEmpty = states.length === 0
    this.#count += added
    this.revision += 1
  }

  /** @param input an id, or what a caller without types gives */
  #find(input: unknown): S {
    const id = readName(input)
    const match = this.states.find((state) => state.id === id)
    if (match) return match
    const ids = this.states.slice(-MAX_LISTED_IDS).map((state) => state.id)
    const none = `This session has none; POST /_sandbox/${this.#noun}s adds one.`
    const hint = ids.length > 0 ? didYouMean(id, ids) : none
    throw new SandboxError('not_found', `There is no ${this.#noun} ${id}. ${hint}`)
  }

  snapshot(): StatesSnapshot<S> {
    return this.#count === 0 ? undefined : { states: this.states.map(this.copy), count: this.#count }
  }

  restore(snapshot: StatesSnapshot<S>): void {
    if (!snapshot && this.#count === 0) return
    this.#count = snapshot?.count ?? 0
    this.replace(snapshot?.states.map(this.copy) ?? [])
  }
}
