/** A stream of numbers determined by its key: xoroshiro64**, with 64 bits of state and cheap to start. */
export class Random {
  #a: number
  #b: number

  constructor(a: number, b: number) {
    this.#a = a
    this.#b = (a | b) === 0 ? 1 : b
  }

  /** Returns the next number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    const a = this.#a
    const product = Math.imul(a, 0x9e3779bb)
    const result = Math.imul((product << 5) | (product >>> 27), 5) >>> 0
    const b = this.#b ^ a
    this.#a = ((a << 26) | (a >>> 6)) ^ b ^ (b << 9)
    this.#b = (b << 13) | (b >>> 19)
    return result / 4_294_967_296
  }

  /** Returns an integer from `min` to `max`, both inclusive. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** Returns a number from `min` to `max`, small ones more often. */
  skewed(min: number, max: number): number {
    const share = this.next()
    return min + share * share * (max - min)
  }

  /** Returns true with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Picks an entry of a list. Errors: RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const entry = list[this.int(0, list.length - 1)]
    if (entry === undefined) throw new RangeError('Cannot pick: the list is empty.')
    return entry
  }

  /** Picks a value by weight. Errors: RangeError for an empty list. */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    let rest = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of choices) {
      rest -= weight
      if (rest < 0) return value
    }
    return this.pick(choices)[0]
  }

  /** Picks some entries of a list, each at most once. Order: as in the list. */
  sample<T>(list: readonly T[], count: number): T[] {
    let wanted = Math.min(count, list.length)
    return list.filter((_, index) => {
      const taken = this.next() * (list.length - index) < wanted
      if (taken) wanted -= 1
      return taken
    })
  }

  /** Shuffles the entries of a list. */
  shuffled<T>(list: readonly T[]): T[] {
    const order: T[] = []
    for (const entry of list) {
      const place = this.int(0, order.length)
      const displaced = order[place]
      if (displaced === undefined) order.push(entry)
      else order.push(displaced)
      order[place] = entry
    }
    return order
  }
}

/** The key of a record, with one stream for each purpose, so that a new field does not change the others. */
export class RecordKey {
  readonly #a: number
  readonly #b: number

  constructor(a: number, b: number) {
    this.#a = a
    this.#b = b
  }

  /** Starts the stream for a purpose. */
  for(purpose: string): Random {
    return new Random(...scrambled(...hashed(this.#a, this.#b, purpose)))
  }

  /** Maps a position below `size` to a unique place below `size`. */
  place(position: number, size: number): number {
    let value = position % size
    do value = permuted(value, this.#a, this.#b)
    while (value >= size)
    return value
  }
}

/** Creates the key of a record. */
export function recordKey(seed: number, table: string, id: number): RecordKey {
  const [a, b] = hashed(0x243f6a88, 0x85a308d3, table)
  return new RecordKey(...numbered(...numbered(a, b, seed), id))
}

type Lanes = [a: number, b: number]

function hashed(a: number, b: number, text: string): Lanes {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x85ebca6b)
    b = Math.imul(b ^ code, 0xc2b2ae35)
  }
  return [a, b]
}

function numbered(a: number, b: number, value: number): Lanes {
  const low = value | 0
  const high = Math.floor(value / 4_294_967_296) | 0
  return scrambled(Math.imul(a ^ low, 0x9e3779b1) ^ high, Math.imul(b ^ low, 0x5f356495) + high)
}

/** Mixes all bits of both lanes (the finaliser of MurmurHash3, each lane fed with the other). */
function scrambled(a: number, b: number): Lanes {
  const mixed = avalanche(a ^ (b >>> 15))
  return [mixed, avalanche(b ^ (mixed >>> 13))]
}

function avalanche(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

/** Permutes the numbers below 2^20 by a Feistel network of four rounds. */
function permuted(value: number, a: number, b: number): number {
  let [left, right] = [value >>> 10, value & 1023]
  for (const round of [a, b, a ^ 0x5bd1e995, b ^ 0x27d4eb2f]) {
    ;[left, right] = [right, left ^ (avalanche(Math.imul(right + 1, 0x9e3779b1) ^ round) & 1023)]
  }
  return (left << 10) | right
}
