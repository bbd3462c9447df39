import type { Page } from './judge.ts'
import type { Dice, ServiceRow, Table } from './tables.ts'
import type { World } from './world.ts'

interface Asked extends Pick<Page, 'at' | 'request'> {
  readonly response: Promise<Response>
}

/** Sends the requests of a client, of which some are held while others are answered. */
export class Connection {
  readonly #world: World
  readonly #dice: Dice
  #turn: Promise<unknown> = Promise.resolve()

  constructor(world: World, dice: Dice) {
    this.#world = world
    this.#dice = dice
  }

  /** Does something while nothing else that the client does goes on. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run)
    this.#turn = turn
    return turn
  }

  async send(table: Table, path: string, isAnyOrder = false): Promise<Page> {
    const isSlow = this.#dice.wideChance(0.06)
    const sent = await this.inTurn(async () => {
      const { faults, gates } = this.#world.session
      const isHeld = isSlow && faults.list().length === 0
      if (isHeld) faults.add({ gate: true, times: 1 })
      const asked = this.#ask(path)
      if (isHeld) await gates.next()
      return isHeld ? asked : this.#receive(asked, table, isAnyOrder)
    })
    if ('rows' in sent) return sent
    await this.inTurn(() => this.#world.happen(this.#dice))
    let isAnswered = false
    void sent.response.then(() => (isAnswered = true))
    // A client that hedges asks again for a page that is slow, and leaves its late answer; the seeds in `WIDE` do not.
    const again = await this.inTurn(async () => {
      const isHedged = isAnyOrder && sent.request % 4 === 2 && !isAnswered
      return isHedged ? this.#receive(this.#ask(path), table, isAnyOrder) : undefined
    })
    const late = await this.inTurn(() => {
      this.#world.session.gates.releaseAll()
      return this.#receive(sent, table, isAnyOrder)
    })
    return again ?? late
  }

  #ask(path: string): Asked {
    const at = this.#world.now
    const [request, response] = this.#world.send(path)
    return { at, request, response }
  }

  async #receive({ at, request, ...asked }: Asked, table: Table, isAnyOrder: boolean): Promise<Page> {
    const response = await asked.response
    const { status } = response
    const body = status === 200 ? await response.json() : {}
    if (status === 401 && this.#dice.isWide) this.#world.renew()
    const items: readonly ServiceRow[] = Array.isArray(body)
      ? body
      : (body.items ?? (body.id === undefined ? [] : [body]))
    await this.#world.look()
    if (isAnyOrder && this.#dice.chance(0.2)) await this.#world.happen(this.#dice)
    const rows = new Map(items.map((row) => [row.id, row]))
    const total = body.totalCount ?? (Array.isArray(body) ? body.length : 1)
    return { request, table, at, rows, status, filter: {}, cursor: undefined, offset: 0, limit: 1, total }
  }
}
