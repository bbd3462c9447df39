import type { Randomizer } from '@faker-js/faker'

import { getOrCreate } from '../../src/core/maps.ts'

export type RecordHash = readonly [a: number, b: number]

/** Faker's source of randomness: xoroshiro64**, with 64 bits of state and cheap to start for each record and purpose. */
export class Random implements Randomizer {
  #a = 0
  #b = 1

  start(record: RecordHash, purpose: string): void {
    const [a, b] = scramble(...hashText(purpose, record))
    this.#a = a
    this.#b = (a | b) === 0 ? 1 : b
  }

  /** Returns the next number from 0 (inclusive) to 1 (exclusive). A field, because Faker calls it without its object. */
  readonly next = (): number => {
    const a = this.#a
    const product = Math.imul(a, 0x9e3779bb)
    const result = Math.imul((product << 5) | (product >>> 27), 5) >>> 0
    const b = this.#b ^ a
    this.#a = ((a << 26) | (a >>> 6)) ^ b ^ (b << 9)
    this.#b = (b << 13) | (b >>> 19)
    return result / 4_294_967_296
  }

  /** Does nothing, since each record starts a sequence of its own. */
  seed(): void {}
}

export function createRandom(seed: number, table: string, id: number, purpose: string): Random {
  const random = new Random()
  random.start(hashRecord(seed, table, id), purpose)
  return random
}

export function hashRecord(seed: number, table: string, id: number): RecordHash {
  const [a, b] = getOrCreate(tableHashes, table, () => hashText(table, [0x243f6a88, 0x85a308d3]))
  return hashNumber(...hashNumber(a, b, seed), id)
}

/** Draws a number from 0 up to 1 for a place of a record, without starting a sequence. */
export const drawAt = (record: RecordHash, place: number): number =>
  (hashNumber(...record, place)[0] >>> 0) / 4_294_967_296

/** The fractional parts of its multiples spread evenly from 0 to 1, however many there are. */
export const GOLDEN = 0.618_033_988_749_895

/** Maps a position below `size` to a unique one below `size`, at most 2^20. */
export function permute(position: number, size: number, [a, b]: RecordHash): number {
  let value = position % size
  do value = permuteBits(value, a, b)
  while (value >= size)
  return value
}

/** The hashes of the names of tables: few, which are asked for often. */
const tableHashes = new Map<string, RecordHash>()

function hashText(text: string, start: RecordHash): RecordHash {
  let [a, b] = start
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x85ebca6b)
    b = Math.imul(b ^ code, 0xc2b2ae35)
  }
  return [a, b]
}

function hashNumber(a: number, b: number, value: number): RecordHash {
  const low = value | 0
  const high = Math.floor(value / 4_294_967_296) | 0
  return scramble(Math.imul(a ^ low, 0x9e3779b1) ^ high, Math.imul(b ^ low, 0x5f356495) + high)
}

/** Mixes all bits of both lanes (the finaliser of MurmurHash3, each lane fed with the other). */
function scramble(a: number, b: number): RecordHash {
  const mixed = avalanche(a ^ (b >>> 15))
  return [mixed, avalanche(b ^ (mixed >>> 13))]
}

function avalanche(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

/** Permutes the numbers below 2^20 by a Feistel network of four rounds: up to a hundred times for a name, so without arrays. */
function permuteBits(value: number, a: number, b: number): number {
  const left = (value >>> 10) ^ mixHalf(value & 1023, a)
  const right = (value & 1023) ^ mixHalf(left, b)
  const newLeft = left ^ mixHalf(right, a ^ 0x5bd1e995)
  return (newLeft << 10) | (right ^ mixHalf(newLeft, b ^ 0x27d4eb2f))
}

const mixHalf = (half: number, round: number): number =>
  avalanche(Math.imul(half + 1, 0x9e3779b1) ^ round) & 1023
