import { lowerBound } from '../core/lower-bound.ts'

/**
 * A set of row positions of a table. Small sets are stored as a list, large ones as a bitmap, so that an intersection
 * costs at most a few operations for every 32 rows, and a page only its own rows. Order: ascending.
 */
export class RowSet {
  readonly size: number
  readonly #rowCount: number
  readonly #list: Uint32Array | undefined
  /** Created when needed; neither list nor bitmap means that every row is in the set. */
  #bitmap: Uint32Array | undefined

  private constructor(size: number, rowCount: number, list?: Uint32Array, bits?: Uint32Array) {
    this.size = size
    this.#rowCount = rowCount
    this.#list = list
    this.#bitmap = bits
  }

  static from(list: Uint32Array, rowCount: number): RowSet {
    return new RowSet(list.length, rowCount, list)
  }

  /** Creates a set. `list` has no duplicates, and any order. */
  static fromUnordered(list: Uint32Array, rowCount: number): RowSet {
    if (isSmall(list.length, rowCount)) return RowSet.from(list.toSorted(), rowCount)
    return new RowSet(list.length, rowCount, undefined, toBitmap(list, rowCount))
  }

  static union(sets: readonly RowSet[], rowCount: number): RowSet {
    const size = sets.reduce((sum, set) => sum + set.size, 0)
    if (isSmall(size, rowCount)) {
      const distinct = new Set(sets.flatMap((set) => set.page()))
      return RowSet.fromUnordered(Uint32Array.from(distinct), rowCount)
    }
    const bits = toBitmap(new Uint32Array(), rowCount)
    for (const set of sets) {
      if (set.#list && isSmall(set.size, rowCount)) setBits(bits, set.#list)
      else {
        const others = set.#toBitmap()
        for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) | (others[word] ?? 0)
      }
    }
    return new RowSet(countBits(bits, bits.length), rowCount, undefined, bits)
  }

  static intersection(sets: readonly RowSet[], rowCount: number): RowSet {
    const narrow = sets.filter((set) => set.size < rowCount)
    const [first = new RowSet(rowCount, rowCount), ...others] = narrow.toSorted((a, b) => a.size - b.size)
    if (others.length === 0) return first
    if (first.#list && isSmall(first.size, rowCount)) {
      const common = first.#list.filter((position) => others.every((other) => other.has(position)))
      return RowSet.from(common, rowCount)
    }
    const bits = first.#toBitmap().slice()
    for (const other of others) {
      const kept = other.#toBitmap()
      for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) & (kept[word] ?? 0)
    }
    return new RowSet(countBits(bits, bits.length), rowCount, undefined, bits)
  }

  without(positions: readonly number[]): RowSet {
    const removed = new Set(positions.filter((position) => this.has(position)))
    if (removed.size === 0) return this
    if (this.#list && isSmall(this.size, this.#rowCount)) {
      return RowSet.from(
        this.#list.filter((position) => !removed.has(position)),
        this.#rowCount,
      )
    }
    const bits = this.#toBitmap().slice()
    for (const position of removed)
      bits[position >>> 5] = (bits[position >>> 5] ?? 0) & ~(1 << (position & 31))
    return new RowSet(this.size - removed.size, this.#rowCount, undefined, bits)
  }

  has(position: number): boolean {
    if (this.size === this.#rowCount) return position < this.#rowCount
    if (this.#list && isSmall(this.size, this.#rowCount)) return this.#list[this.rank(position)] === position
    return (((this.#toBitmap()[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1
  }

  rank(position: number): number {
    if (this.#list) return lowerBound(this.#list.length, (at) => (this.#list?.[at] ?? 0) >= position)
    if (!this.#bitmap) return Math.min(position, this.#rowCount)
    const word = position >>> 5
    const rest = (this.#bitmap[word] ?? 0) & ((1 << (position & 31)) - 1)
    return countBits(this.#bitmap, word) + countOnes(rest)
  }

  page(offset = 0, limit = Infinity): number[] {
    const end = Math.min(offset + limit, this.size)
    if (this.#list) return Array.from(this.#list.subarray(offset, end))
    if (this.#bitmap) return pageBitmap(this.#bitmap, offset, end)
    return Array.from({ length: Math.max(0, end - offset) }, (_, index) => offset + index)
  }

  #toBitmap(): Uint32Array {
    this.#bitmap ??= toBitmap(this.#list ?? Uint32Array.from(this.page()), this.#rowCount)
    return this.#bitmap
  }
}

const isSmall = (size: number, rowCount: number): boolean => size * 32 < rowCount

function toBitmap(list: Uint32Array, rowCount: number): Uint32Array {
  const bits = new Uint32Array((rowCount + 31) >>> 5)
  setBits(bits, list)
  return bits
}

function setBits(bits: Uint32Array, list: Uint32Array): void {
  for (let at = 0; at < list.length; at += 1) {
    const position = list[at] ?? 0
    bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31))
  }
}

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

function pageBitmap(bits: Uint32Array, offset: number, end: number): number[] {
  const positions: number[] = []
  let rank = 0
  for (let word = 0; word < bits.length && rank < end; word += 1) {
    const ones = countOnes(bits[word] ?? 0)
    if (rank + ones > offset) {
      for (let rest = bits[word] ?? 0, at = rank; rest !== 0 && at < end; rest &= rest - 1, at += 1) {
        if (at >= offset) positions.push(word * 32 + 31 - Math.clz32(rest & -rest))
      }
    }
    rank += ones
  }
  return positions
}
