/**
 * A set of positions in a table. Few of them are kept as a list, many as bits: so to meet several conditions costs a
 * few operations for every 32 rows at the most, and a page of the result what is in it. Order: ascending.
 */
export class Positions {
  readonly size: number
  /** How many positions there are to be in the set. */
  readonly #universe: number
  readonly #list: Uint32Array | undefined
  /** Undefined where there is a list only, or everything is in the set. */
  #bits: Uint32Array | undefined

  private constructor(size: number, universe: number, list?: Uint32Array, bits?: Uint32Array) {
    this.size = size
    this.#universe = universe
    this.#list = list
    this.#bits = bits
  }

  /** Every position of a table with so many rows. */
  static all(universe: number): Positions {
    return new Positions(universe, universe)
  }

  /** @param list ascending, without repetition */
  static of(list: Uint32Array, universe: number): Positions {
    return new Positions(list.length, universe, list)
  }

  /** @param list without repetition, in any order */
  static unordered(list: Uint32Array, universe: number): Positions {
    if (isFew(list.length, universe)) return Positions.of(list.toSorted(), universe)
    return new Positions(list.length, universe, undefined, bitsOf(list, universe))
  }

  /** What is in any of the sets. */
  static union(sets: readonly Positions[], universe: number): Positions {
    const parts = sets.map((set) => set.#list ?? Uint32Array.from(set.page(0, set.size)))
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    if (isFew(size, universe)) {
      const distinct = new Set(parts.flatMap((part) => Array.from(part)))
      return Positions.unordered(Uint32Array.from(distinct), universe)
    }
    const bits = bitsOf(new Uint32Array(), universe)
    for (const part of parts) setBits(bits, part)
    return Positions.#ofBits(bits, universe)
  }

  /** What is in all of the sets. */
  static intersection(sets: readonly Positions[], universe: number): Positions {
    const narrow = sets.filter((set) => set.size < universe)
    const [first = Positions.all(universe), ...others] = narrow.toSorted((a, b) => a.size - b.size)
    if (others.length === 0) return first
    if (first.#list && isFew(first.size, universe)) {
      const common = first.#list.filter((position) => others.every((other) => other.has(position)))
      return Positions.of(common, universe)
    }
    const bits = first.#asBits().slice()
    for (const other of others) keepCommon(bits, other.#asBits())
    return Positions.#ofBits(bits, universe)
  }

  static #ofBits(bits: Uint32Array, universe: number): Positions {
    return new Positions(countBits(bits, bits.length), universe, undefined, bits)
  }

  /** The set without some of its positions. */
  without(positions: readonly number[]): Positions {
    const gone = new Set(positions.filter((position) => this.has(position)))
    if (gone.size === 0) return this
    if (this.#list && isFew(this.size, this.#universe)) {
      return Positions.of(
        this.#list.filter((position) => !gone.has(position)),
        this.#universe,
      )
    }
    const bits = this.#asBits().slice()
    for (const position of gone) bits[position >>> 5] = (bits[position >>> 5] ?? 0) & ~(1 << (position & 31))
    return new Positions(this.size - gone.size, this.#universe, undefined, bits)
  }

  has(position: number): boolean {
    if (this.size === this.#universe) return position < this.#universe
    if (this.#list && isFew(this.size, this.#universe)) return this.#list[this.rank(position)] === position
    return (((this.#asBits()[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1
  }

  /** How many positions of the set stand before one. */
  rank(position: number): number {
    if (this.#list) return lowerBound(this.#list.length, (at) => (this.#list?.[at] ?? 0) >= position)
    if (!this.#bits) return Math.min(position, this.#universe)
    const word = position >>> 5
    const rest = (this.#bits[word] ?? 0) & ((1 << (position & 31)) - 1)
    return countBits(this.#bits, word) + countOnes(rest)
  }

  /** The positions from `offset` on, `limit` at most. */
  page(offset: number, limit: number): number[] {
    const end = Math.min(offset + limit, this.size)
    if (this.#list) return Array.from(this.#list.subarray(offset, end))
    if (this.#bits) return pageOfBits(this.#bits, offset, end)
    return Array.from({ length: Math.max(0, end - offset) }, (_, index) => offset + index)
  }

  #asBits(): Uint32Array {
    this.#bits ??= bitsOf(this.#list ?? Uint32Array.from(this.page(0, this.size)), this.#universe)
    return this.#bits
  }
}

/** The first index below `length` for which something holds that then holds for all further ones; else `length`. */
export function lowerBound(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Says whether a list of so many takes less room than bits. */
const isFew = (size: number, universe: number): boolean => size * 32 < universe

function bitsOf(list: Uint32Array, universe: number): Uint32Array {
  const bits = new Uint32Array((universe + 31) >>> 5)
  setBits(bits, list)
  return bits
}

function setBits(bits: Uint32Array, list: Uint32Array): void {
  for (let at = 0; at < list.length; at += 1) {
    const position = list[at] ?? 0
    bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31))
  }
}

function keepCommon(bits: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) & (others[word] ?? 0)
}

/** How many of 32 bits are set. */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function countBits(bits: Uint32Array, words: number): number {
  let count = 0
  for (let word = 0; word < words; word += 1) count += countOnes(bits[word] ?? 0)
  return count
}

function pageOfBits(bits: Uint32Array, offset: number, end: number): number[] {
  const found: number[] = []
  let rank = 0
  for (let word = 0; word < bits.length && rank < end; word += 1) {
    const ones = countOnes(bits[word] ?? 0)
    if (rank + ones > offset) {
      for (let rest = bits[word] ?? 0, at = rank; rest !== 0 && at < end; rest &= rest - 1, at += 1) {
        if (at >= offset) found.push(word * 32 + 31 - Math.clz32(rest & -rest))
      }
    }
    rank += ones
  }
  return found
}
