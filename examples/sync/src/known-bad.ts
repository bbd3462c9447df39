import { type Page, type Query, type Row, StatusError, type Surroundings } from './service.ts'
import { SoundSync, type Walk } from './sound.ts'

/** Finds the greatest `updatedDate` of a walk, as cursors often are. */
const findGreatest = ({ rows, startedAt }: Walk): string =>
  rows.map(({ updatedDate }) => updatedDate).reduce((a, b) => (a > b ? a : b), '') || startedAt

/** Excludes its cursor: it never asks again for the instant at which it has stopped. */
class ExclusiveCursor extends SoundSync {
  override chooseCursor(walk: Walk): string {
    const { cursor = '' } = this.service
    const greatest = findGreatest(walk)
    return greatest > cursor ? greatest : cursor
  }

  override reachBack(cursor: string): string {
    return cursor
  }

  override store(name: string, rows: readonly Row[]): void {
    const { cursor = '' } = this.service
    super.store(name, name === 'customers' ? rows.filter((row) => row.updatedDate > cursor) : rows)
  }
}

/** Asks from a millisecond after the greatest `updatedDate`. */
class MaximumPlusOne extends SoundSync {
  override chooseCursor(walk: Walk): string {
    return findGreatest(walk)
  }

  override reachBack(cursor: string): string {
    return new Date(Date.parse(cursor) + 1).toISOString()
  }
}

/** Takes the time at the end of a run as its next cursor. */
class CursorAtEnd extends SoundSync {
  #latest = ''

  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    const page = await super.readPage(path, query, offset)
    this.#latest = page.date
    return page
  }

  override chooseCursor(): string {
    return this.#latest
  }

  override reachBack(cursor: string): string {
    return cursor
  }
}

/** Asks from the cursor itself, although lists lag. */
class NoOverlap extends SoundSync {
  override reachBack(cursor: string): string {
    return cursor
  }
}

/** Reads page after page, although rows move between them. */
class PlainPages extends SoundSync {
  override async walk(path: string, query: Query = {}): Promise<Walk> {
    const rows: Row[] = []
    let startedAt = ''
    for (;;) {
      const page = await this.readPage(path, query, rows.length)
      startedAt ||= page.date
      rows.push(...page.items)
      if (page.items.length < this.service.limit) return { rows, startedAt }
    }
  }
}

/** Never removes a row. */
class NoDeletions extends SoundSync {
  override remove(): void {}
}

/** Moves its cursor as soon as it begins to read, so that a run that fails is not repeated. */
class CursorAtFirstPage extends SoundSync {
  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    const page = await super.readPage(path, query, offset)
    if (path === '/customers' && offset === 0) this.service.cursor = page.date
    return page
  }
}

/** Takes a page that fails for the end of the list. */
class FailureIsTheEnd extends SoundSync {
  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    const date = this.service.cursor ?? '2026-01-15T12:00:00.000Z'
    return super.readPage(path, query, offset).catch(() => ({ items: [], date }))
  }
}

/** Asks for the next page after one that has failed. */
class RetrySkipsPage extends SoundSync {
  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    const readNext = () => super.readPage(path, query, offset + this.service.limit)
    return this.service.page(path, query, offset).catch(readNext)
  }
}

/** Renews a token that expires in the middle of a walk, but takes what it has by then for the whole list. */
class ExpiryIsTheEnd extends SoundSync {
  #last: Page = { items: [], date: '' }

  override async readPage(path: string, query: Query, offset: number): Promise<Page> {
    const { service } = this
    this.#last = await service.page(path, query, offset).catch((error: unknown) => {
      service.renew(error)
      const isEnd = offset > 0 && error instanceof StatusError && error.status === 401
      return isEnd
        ? { ...this.#last, items: this.#last.items.slice(-1) }
        : super.readPage(path, query, offset)
    })
    return this.#last
  }
}

/** Reads the children of customers that have changed only, even in a full run. */
class ChildrenOfChanged extends SoundSync {
  override async full(): Promise<void> {
    const { rows } = await this.walk('/customers')
    this.store('customers', rows)
    await this.reconcile('customers', rows, () => true, '/customers')
  }
}

/** Pages by its cursor alone: if more rows than a page have one time, it asks for the same page for ever. */
class CursorAsPage extends SoundSync {
  override async walk(path: string, query: Query = {}): Promise<Walk> {
    if (path !== '/customers') return super.walk(path, query)
    const all = await super.walk(path, query)
    let { updatedSince } = query
    for (;;) {
      if (updatedSince === undefined) return all
      const page = await this.readPage(path, { updatedSince }, 0)
      if (page.items.length < this.service.limit) return all
      updatedSince = findGreatest({ rows: page.items, startedAt: '' })
    }
  }
}

/** Connectors with one mistake each, to try checks on: each fails in a sweep. */
export const knownBad: Readonly<Record<string, new (surroundings: Surroundings) => SoundSync>> = {
  'exclusive cursor': ExclusiveCursor,
  'maximum plus a millisecond': MaximumPlusOne,
  'cursor at the end of the run': CursorAtEnd,
  'no overlap': NoOverlap,
  'plain pages': PlainPages,
  'no deletions': NoDeletions,
  'cursor moved by a failed run': CursorAtFirstPage,
  'failure taken for the end': FailureIsTheEnd,
  'retry that skips a page': RetrySkipsPage,
  'expired token taken for the end': ExpiryIsTheEnd,
  'children of changed customers only': ChildrenOfChanged,
  'cursor as page': CursorAsPage,
}
