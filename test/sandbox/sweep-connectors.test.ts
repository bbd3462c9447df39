import { describe, expect, it } from 'vitest'

import { knownBad } from '../../examples/sync/src/known-bad.ts'
import { type Page, type Query, StatusError } from '../../examples/sync/src/service.ts'
import { SoundSync } from '../../examples/sync/src/sound.ts'
import { createSandbox, type Schedule, sweep, type SweepOptions } from '../../src/index.ts'
import type { EventKind } from '../../src/sandbox/sweep/events.ts'
import { chooseAmount, isFullScale } from '../reliability/figures.ts'
import { openSandbox } from '../support.ts'
import { failSweep, nothing } from './sweep-support.ts'

/** Twelve customers are three pages of five. */
const sandbox = await openSandbox({ size: 12 })

/** The options of a sweep of a connector that can read everything again. */
const sweepOf = (Connector: typeof SoundSync, limit = 5): SweepOptions<SoundSync> => ({
  sandbox,
  client: ({ fetch, state }) => new Connector({ fetch, state, limit }),
  run: (client) => client.run(),
  full: (client) => client.full(),
  copy: (client) => client.copy(),
})

/** The events that each known-bad connector fails under, so that a test need not try all others first. */
const culprits: Readonly<
  Record<string, Exclude<SweepOptions<SoundSync>['events'], readonly unknown[] | undefined>>
> = {
  'exclusive cursor': { scenarios: ['update-at-cursor'] },
  'maximum plus a millisecond': { scenarios: ['update-at-cursor'] },
  'cursor at the end of the run': { scenarios: [{ name: 'change-while-reading', seconds: 10 }] },
  'no overlap': {
    scenarios: [
      { name: 'late-visibility', seconds: 60 },
      { name: 'change-while-reading', seconds: 10 },
    ],
  },
  'plain pages': { scenarios: [{ name: 'page-drift', times: 1 }] },
  'no deletions': { scenarios: ['deleted'] },
  'cursor moved by a failed run': { kills: true },
  'failure taken for the end': { faults: [{ status: 503 }] },
  'retry that skips a page': { faults: [{ reset: true, times: 1 }] },
  'expired token taken for the end': { scenarios: [{ name: 'token-expires', requests: 1 }] },
  'children of changed customers only': { scenarios: ['child-only-change'] },
  'cursor as page': { scenarios: ['bulk-update-ties'] },
}

describe('the sound connector', () => {
  it('survives a sample of schedules', async () => {
    const found = await sweep({ ...sweepOf(SoundSync), limit: 8 })
    expect(found).toMatchObject({ tried: 8, isDeterministic: true })
  })

  it('survives a change that a list still hides, and that the customer does not announce', async () => {
    const at = { run: 'first', operationId: 'listCustomers' } as const
    const schedule = [
      { ...at, scenario: { name: 'child-only-change' } },
      { ...at, scenario: { name: 'late-visibility', seconds: 60 } },
    ] as const
    expect(await sweep({ ...sweepOf(SoundSync), schedule })).toMatchObject({ events: schedule })
  })

  it.runIf(isFullScale).each([
    { size: 'small', future: 'still', limit: 10 },
    { size: 'small', future: 'living', limit: 10 },
    { size: 'medium', future: 'still', limit: 100 },
    { size: 'medium', future: 'living', limit: 100 },
  ] as const)(
    'survives 1,000 schedules over $size, $future',
    { timeout: 7_200_000 },
    async ({ size, future, limit }) => {
      const options: SweepOptions<SoundSync> = {
        ...sweepOf(SoundSync, limit),
        sandbox: await createSandbox({ size, future }),
        limit: 1_000,
        timeoutMs: 120_000,
      }
      expect(await sweep(options)).toMatchObject({ tried: 1_000, isDeterministic: true })
    },
  )
})

describe.each(Object.entries(knownBad))('the connector with the mistake %s', (name, Connector) => {
  const events = isFullScale ? {} : { ...nothing, ...culprits[name] }
  const options = { ...sweepOf(Connector), events }

  it(
    'fails within a minute with two events at most, and so does the test to paste',
    { timeout: 120_000 },
    async () => {
      const error = await failSweep({ ...options, budgetMs: 60_000 })
      expect(error.schedule?.length).toBeGreaterThan(0)
      expect(error.schedule?.length).toBeLessThanOrEqual(2)
      const again = await failSweep({ ...options, schedule: readSchedule(error.message) })
      expect(again.failure?.text).toBe(error.failure?.text)
    },
  )
})

/** Reads the schedule of a test to paste by running its text. */
function readSchedule(message: string): Schedule {
  const [, body = ''] = /\n( {2}test\([\s\S]*)$/.exec(message) ?? []
  let found: Schedule = []
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the text is code to paste
  const run = new Function('test', 'sweep', 'options', `return ${body.trim()}`)
  run(
    (_title: string, call: () => unknown) => call(),
    (options: { readonly schedule: Schedule }) => {
      found = options.schedule
    },
    {},
  )
  return found
}

/** Ends when its token has expired, and uses the renewed one from the next run on. */
class RenewsForNextRun extends SoundSync {
  override async retry<T>(send: () => Promise<T>): Promise<T> {
    return send().catch((error: unknown) => {
      this.service.renew(error)
      throw error
    })
  }
}

/** Takes what it has for the whole list when it is told to wait. */
class TooManyIsTheEnd extends SoundSync {
  #last: Page = { items: [], date: '2026-01-15T12:00:00.000Z' }

  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    const page = () =>
      this.service.page(path, query, offset).catch((error: unknown) => {
        if (error instanceof StatusError && error.status === 429) {
          return { ...this.#last, items: this.#last.items.slice(-1) }
        }
        throw error
      })
    this.#last = await this.retry(page)
    return this.#last
  }
}

/** Sends its filter with the first page only. */
class LosesFilter extends SoundSync {
  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    return super.readPage(path, offset === 0 ? query : {}, offset)
  }
}

const mistakes: readonly (readonly [
  name: string,
  Connector: typeof SoundSync,
  limit: number,
  events: readonly EventKind[],
  text: RegExp,
])[] = [
  ['429 taken for the end', TooManyIsTheEnd, 5, ['faults'], /unread_tail|fault_not_retried/],
  [
    'token renewed too late',
    RenewsForNextRun,
    5,
    ['token-expires'],
    /Only the incremental run has used the renewed token: request 2, GET .*, was answered with 401: .* again in the same run/,
  ],
  [
    'page size that the server caps',
    SoundSync,
    500,
    ['kills'],
    /GET …\/customers\?offset=0&limit=500, was answered with 400: .*at most 250/,
  ],
  [
    'filter lost on page two',
    LosesFilter,
    5,
    ['bulk-update-ties'],
    /bulk-update-ties \(count 6\)[^]*GET …\/customers\?offset=4&limit=5, was answered with 200\. Before it came .*updatedSince=/,
  ],
]

it.each(mistakes)(
  'a sweep of at most a minute finds: %s',
  { timeout: 120_000 },
  async (_, Connector, limit, kinds, text) => {
    const events = chooseAmount(kinds, undefined)
    expect((await failSweep({ ...sweepOf(Connector, limit), budgetMs: 60_000, events })).message).toMatch(
      text,
    )
  },
)
