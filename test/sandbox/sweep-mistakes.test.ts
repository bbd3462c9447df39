import { expect, it } from 'vitest'

import { type Page, type Query, type Row, StatusError } from '../../examples/sync/src/service.ts'
import { SoundSync, type Walk } from '../../examples/sync/src/sound.ts'
import type { SweepOptions } from '../../src/index.ts'
import type { EventKind } from '../../src/sandbox/sweep/events.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { openSandbox } from '../support.ts'
import { failSweep } from './sweep-support.ts'

/** Twelve customers are three pages of five. */
const sandbox = await openSandbox({ size: 12 })

/** Sends a request again at once, whatever `Retry-After` says. */
class IgnoresRetryAfter extends SoundSync {
  override async retry<T>(send: () => Promise<T>): Promise<T> {
    return super.retry(() =>
      send().catch((error: unknown) => {
        this.service.renew(error)
        return send()
      }),
    )
  }
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

/** Reads page after page by their offsets. */
class Pages extends SoundSync {
  override async walk(path: string, query: Query = {}): Promise<Walk> {
    const rows: Row[] = []
    for (let [offset, startedAt] = [0, '']; ;) {
      const page = await this.readPage(path, query, offset)
      startedAt ||= page.date
      rows.push(...page.items)
      if (page.items.length < this.service.limit) return { rows, startedAt }
      offset = this.findNext(offset)
    }
  }

  findNext(offset: number): number {
    return offset + this.service.limit
  }
}

/** Begins each page one row too late. */
class OffByOne extends Pages {
  override findNext(offset: number): number {
    return offset + this.service.limit + 1
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
  [
    'ignored Retry-After',
    IgnoresRetryAfter,
    5,
    ['faults'],
    /was retried \d+ ms after request \d+ was answered with a 429 that asked for 1 s/,
  ],
  ['429 taken for the end', TooManyIsTheEnd, 5, ['faults'], /unread_tail|fault_not_retried/],
  [
    'token renewed too late',
    RenewsForNextRun,
    5,
    ['token-expires'],
    /Only the incremental run has used the renewed token: request 2, GET .*, was answered with 401: .* again in the same run/,
  ],
  ['off-by-one page', OffByOne, 5, ['kills'], /although nothing has happened to it/],
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

const sweepOf = (Connector: typeof SoundSync, limit: number): SweepOptions<SoundSync> => ({
  sandbox,
  client: ({ fetch, state }) => new Connector({ fetch, state, limit }),
  run: (client) => client.run(),
  full: (client) => client.full(),
  copy: (client) => client.copy(),
  budgetMs: 60_000,
})

it.each(mistakes)(
  'a sweep of at most a minute finds: %s',
  { timeout: 120_000 },
  async (_, Connector, limit, kinds, text) => {
    const events = chooseAmount(kinds, undefined)
    expect((await failSweep({ ...sweepOf(Connector, limit), events })).message).toMatch(text)
  },
)
