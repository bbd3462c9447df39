import { MAX_INTEGER } from '../src/contract/fields.ts'

/**
 * Which ids the generator gives: each organization has a block of its own in each table, and what belongs to a
 * customer has slots that follow from the customer's id. So nothing shifts when the dataset grows.
 */
const BLOCKS = { members: 500, definitions: 100, customers: 1_000_000 } as const

/** Slots that each customer has in each table of what belongs to it. */
export const SLOTS = 8

/** The ids of an organization's logs that belong to no customer: the first ones of its block. */
const COMMON_LOGS = 1000

const LOG_BLOCK = BLOCKS.customers * SLOTS

/** What an organization has blocks of. */
export type Block = keyof typeof BLOCKS

/** The id at a place, counted from 1, in an organization's block. */
export function idAt(block: Block, ordinal: number, position: number): number {
  return ordinal * BLOCKS[block] + position
}

/** The place of an id in its organization's block, counted from 1. */
export function positionOf(block: Block, id: number): number {
  return ((id - 1) % BLOCKS[block]) + 1
}

/** The place, counted from 0, of the organization in whose block an id lies. */
export function ordinalOf(block: Block, id: number): number {
  return Math.floor((id - 1) / BLOCKS[block])
}

/** The id in one of a customer's slots, counted from 1. */
export function slotId(customerId: number, slot: number): number {
  return ((customerId - 1) % SAFE_CUSTOMERS) * SLOTS + slot
}

/** The customer that a slot belongs to. */
export function customerOfSlot(id: number): number {
  return Math.floor((id - 1) / SLOTS) + 1
}

/** The slot, counted from 1, that an id lies in. */
export function slotOf(id: number): number {
  return ((id - 1) % SLOTS) + 1
}

/** The id of a log that belongs to a customer. */
export function logSlotId(customerId: number, slot: number): number {
  return COMMON_LOGS + slotId(customerId, slot)
}

/** The customer that a log belongs to; undefined for the logs of no customer. */
export function customerOfLog(id: number): number | undefined {
  return commonLogOf(id) === undefined ? customerOfSlot(id - COMMON_LOGS) : undefined
}

/** The place, counted from 1, of a log that belongs to no customer; undefined for the logs of customers. */
export function commonLogOf(id: number): number | undefined {
  const place = ((id - 1) % LOG_BLOCK) + 1
  return place <= COMMON_LOGS ? place : undefined
}

/** The place, counted from 0, of the organization that a log belongs to. */
export const ordinalOfLog = (id: number): number => Math.floor((id - 1) / LOG_BLOCK)

/** The id of a log that belongs to no customer, by its place, counted from 1. */
export const commonLogId = (ordinal: number, place: number): number => ordinal * LOG_BLOCK + place

/** The id of a part of a record that has at most nine such parts, counted from 1. */
export function partId(id: number, part: number): number {
  // NOTE: ten times a huge id would be too large, so the hugest take what is left below the largest id.
  const whole = id < SAFE_WHOLES ? id : SAFE_WHOLES - 1 - ((MAX_INTEGER - id) % 1_000_000_000_000)
  return whole * 10 + part
}

/** Members of an organization whose generated customers go up to a place in its block. */
export function memberCount(customers: number): number {
  return Math.min(60, 12 + Math.floor(customers / 25))
}

const SAFE_CUSTOMERS = 1_000_000_000_000_000
const SAFE_WHOLES = Math.floor(MAX_INTEGER / 10)
