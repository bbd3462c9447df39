import * as z from 'zod'

import type { Result } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { readName } from '../../core/words.ts'
import { Caller } from '../journal/view.ts'
import { OperationName } from '../request-target.ts'
import type { Wait } from './connection.ts'
import { FaultStatus } from './effects.ts'

const MAX_HELD = 100

export const HeldRequest = lazyObject(() => ({
  id: z.string().describe('The id to release the request by'),
  requestId: z.int().describe('The id of the request in the journal'),
  operationId: z.string().optional().describe('Absent if no operation has this path'),
  method: z.string(),
  path: z.string().describe('The path from `/v1` on, without the query'),
  caller: Caller.optional().describe('Absent if the token belongs to no member'),
  fault: z.string().describe('The id of the fault that holds the request'),
  since: z.string().describe("The session's time when the request arrived"),
})).meta({ id: 'HeldRequest' })
export type HeldRequest = z.output<typeof HeldRequest>

export const Release = lazyStrictObject(() => ({
  status: FaultStatus.optional().describe(
    'The status to respond with. Default: the request goes on to the service. Example: `503`.',
  ),
}))
export type Release = z.output<typeof Release>

export const GateFilter = lazyStrictObject(() => ({
  operationId: OperationName.optional().describe(
    'The operation to wait for. Default: all. Example: `createCustomerNote`.',
  ),
}))
export type GateFilter = z.output<typeof GateFilter>

export interface HeldOutcome extends Release {
  /** Why the request does not reach the service; undefined if a test has released it. */
  readonly reason?: string
}

export interface GateControl<Remote extends boolean = false> {
  /** Lists the held requests. Order: as they arrived. @example session.gates.list().map(({ path }) => path) */
  list(): Result<Remote, HeldRequest[]>
  /**
   * Waits until a gate holds a request, and returns it. Each request is returned once, even if it arrived before the call.
   * @throws SandboxError `invalid_request`; `conflict` if no fault would hold one, also once the fault is removed, the
   * session dropped or the sandbox closed
   * @example const held = await session.gates.next({ operationId: 'createCustomerNote' })
   */
  next(filter?: GateFilter): Promise<HeldRequest>
  /**
   * Releases a request to the service, or with a status in place of the service's response.
   * @throws SandboxError `not_found` if no gate holds it (any longer), `invalid_request`
   * @example session.gates.release(held.id)
   */
  release(id: string, how?: Release): Result<Remote, HeldRequest>
  /** Releases every held request. @example session.gates.releaseAll() */
  releaseAll(how?: Release): Result<Remote, HeldRequest[]>
}

interface Held {
  readonly request: HeldRequest
  readonly wait: Wait<HeldOutcome>
}

/** A call that waits for a held request; its wait ends with one, or with why there will be none. */
interface Listener {
  readonly filter: GateFilter
  readonly wait: Wait<HeldRequest | string>
}

export class Gates {
  readonly #held = new Map<string, Held>()
  readonly #unseen = new Set<HeldRequest>()
  readonly #listeners = new Set<Listener>()
  readonly #listHolding: () => readonly (string | undefined)[]
  #count = 0

  /** @param listHolding lists the operations of the faults that hold requests, undefined for any */
  constructor(listHolding: () => readonly (string | undefined)[]) {
    this.#listHolding = listHolding
  }

  async hold(facts: Omit<HeldRequest, 'id'>, wait: Wait<HeldOutcome>): Promise<HeldOutcome> {
    if (this.#held.size >= MAX_HELD) {
      wait.end()
      return { status: 503, reason: `the session already holds ${MAX_HELD} requests; release some first` }
    }
    this.#count += 1
    const request = { id: `gate-${this.#count}`, ...facts }
    this.#held.set(request.id, { request, wait })
    this.#announce(request)
    try {
      return (await wait.over) ?? {}
    } finally {
      this.#forget(request)
    }
  }

  list(): HeldRequest[] {
    return Array.from(this.#held.values(), ({ request }) => request)
  }

  async next(input: GateFilter, beginWait: () => Listener['wait']): Promise<HeldRequest> {
    const filter = parseInput(GateFilter, input)
    const match = [...this.#unseen].find((request) => matches(filter, request))
    if (match) {
      this.#unseen.delete(match)
      return match
    }
    if (!this.#isPossible(filter)) {
      const fact = `No fault of this session holds ${filter.operationId ?? 'requests'}`
      throw new SandboxError('conflict', `${fact}. Add one with "gate": true first.`)
    }
    const listener = { filter, wait: beginWait() }
    this.#listeners.add(listener)
    try {
      const end = (await listener.wait.over) ?? 'the sandbox closed'
      if (typeof end === 'object') return end
      throw new SandboxError('conflict', `No request arrived before ${end}.`)
    } finally {
      this.#listeners.delete(listener)
    }
  }

  /** @param input an id, or what a caller without types gives */
  release(input: unknown, how: Release = {}): HeldRequest {
    const outcome = parseInput(Release, how)
    const id = readName(input)
    const held = this.#held.get(id)
    if (held) return this.#end(held, outcome)
    const ids = this.list().map((request) => request.id)
    const hint =
      ids.length > 0
        ? `Held are ${ids.slice(0, 10).join(', ')}.`
        : 'No request is held now; a fault with "gate": true holds them.'
    throw new SandboxError(
      'not_found',
      `No gate holds ${id}: it was released, its client gave up, or it never existed. ${hint}`,
    )
  }

  releaseAll(how: Release = {}, faultId?: string): HeldRequest[] {
    const outcome = parseInput(Release, how)
    return [...this.#held.values()]
      .filter(({ request }) => faultId === undefined || request.fault === faultId)
      .map((held) => this.#end(held, outcome))
  }

  interrupt(reason: string): void {
    for (const held of this.#held.values()) this.#end(held, { status: 503, reason })
  }

  /** Ends the waits that no fault is left for. */
  endWaits(): void {
    for (const { filter, wait } of this.#listeners)
      if (!this.#isPossible(filter)) wait.end('the fault that would hold it was removed')
  }

  #isPossible({ operationId }: GateFilter): boolean {
    return this.#listHolding().some((one) => [one, operationId].includes(undefined) || one === operationId)
  }

  close(reason: string): void {
    this.interrupt(reason)
    for (const { wait } of this.#listeners) wait.end(reason)
  }

  #end(held: Held, outcome: HeldOutcome): HeldRequest {
    this.#forget(held.request)
    held.wait.end(outcome)
    return held.request
  }

  #announce(request: HeldRequest): void {
    for (const { filter, wait } of this.#listeners) if (matches(filter, request) && wait.end(request)) return
    this.#unseen.add(request)
  }

  #forget(request: HeldRequest): void {
    this.#held.delete(request.id)
    this.#unseen.delete(request)
  }
}

const matches = ({ operationId }: GateFilter, request: HeldRequest): boolean =>
  operationId === undefined || operationId === request.operationId
