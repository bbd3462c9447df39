import { MAX_INTEGER } from '../../src/contract/fields.ts'

/**
 * The sizes of the blocks of ids that each organization has in each table. The rows of a customer have slots that are
 * computed from the customer's id, so ids do not change when the dataset grows.
 */
const BLOCKS = { members: 500, definitions: 100, customers: 1_000_000 } as const

export const SLOTS = 8

/** The number of ids for logs without a customer, at the start of an organization's block. */
const NIGHTLY_LOG_IDS = 1000

const LOG_BLOCK = BLOCKS.customers * SLOTS

export type Block = keyof typeof BLOCKS

/** The second blocks of members, for positions beyond the first ones: above the ids of a million organizations. */
const MORE_MEMBERS = { from: 1_000_000_000, to: 1_000_000_000_000, size: BLOCKS.customers } as const

/**
 * The range of ids of records that time brings: above those of any dataset, and below those that fixtures use to test
 * the largest id. They say when a record came, so that its place in lists does not depend on the size of the dataset.
 */
const FUTURE_IDS = { from: 1_000_000_000_000, to: 4_000_000_000_000_000 } as const

const IDS_PER_DAY = 1_000_000_000

export const isFutureId = (id: number): boolean => id >= FUTURE_IDS.from && id < FUTURE_IDS.to

const computeFutureId = (day: number, slot: number): number => FUTURE_IDS.from + day * IDS_PER_DAY + slot

/** Computes the id at a position, counted from 1, in an organization's block. */
export function computeId(block: Block, ordinal: number, position: number): number {
  return block === 'members' && position > BLOCKS.members
    ? MORE_MEMBERS.from + ordinal * MORE_MEMBERS.size + position
    : ordinal * BLOCKS[block] + position
}

/** Computes the position of an id in its block, counted from 1. A spawned customer has that of its root. */
export function getPosition(block: Block, id: number): number {
  const { place, size } = findPlace(block, id)
  return (place % size) + 1
}

/** Computes the position of the organization whose block contains an id, counted from 0. */
export function getOrdinal(block: Block, id: number): number {
  const { place, size } = findPlace(block, id)
  return Math.floor(place / size)
}

function findPlace(block: Block, id: number): { readonly place: number; readonly size: number } {
  if (block === 'members' && id > MORE_MEMBERS.from && id <= MORE_MEMBERS.to) {
    return { place: id - MORE_MEMBERS.from - 1, size: MORE_MEMBERS.size }
  }
  const root = block === 'customers' && isFutureId(id) ? getRootCustomer(id) : id
  return { place: root - 1, size: BLOCKS[block] }
}

/** The maximum of customers that follow from a customer of the dataset, their root, including the root. */
export const CUSTOMERS_PER_ROOT = 16

/** Roots up to this id have future ids of their own; the others share the rest. */
const OWN_ROOTS = 7_000_000
const SHARED_ROOTS = 800_000

export function getRootCustomer(customerId: number): number {
  if (isFutureId(customerId)) return Math.floor((customerId % IDS_PER_DAY) / (CUSTOMERS_PER_ROOT * SLOTS))
  return customerId <= OWN_ROOTS ? customerId : OWN_ROOTS + 1 + (customerId % SHARED_ROOTS)
}

export const getSpawnedPlace = (customerId: number): number =>
  isFutureId(customerId) ? Math.floor((customerId % (CUSTOMERS_PER_ROOT * SLOTS)) / SLOTS) : 0

/**
 * Computes the id of a future record of a customer. It depends on the customer's root alone, so that a larger dataset has
 * it as well.
 * @param day counted from the dataset's time
 * @param place below `SLOTS`
 */
export function computeFutureSlotId(customerId: number, day: number, place: number): number {
  const customer = getRootCustomer(customerId) * CUSTOMERS_PER_ROOT + getSpawnedPlace(customerId)
  return computeFutureId(day, customer * SLOTS + place)
}

export const computeFutureCustomerId = (root: number, day: number, place: number): number =>
  computeFutureId(day, (root * CUSTOMERS_PER_ROOT + place) * SLOTS)

/** Computes the id of a future record of an organization; no customer is its root. */
export const computeFutureOrganizationId = (ordinal: number, day: number): number =>
  computeFutureId(day, ordinal % (CUSTOMERS_PER_ROOT * SLOTS))

/** Computes the id in a slot of a customer, counted from 1. */
export function computeSlotId(customerId: number, slot: number): number {
  return ((customerId - 1) % SAFE_CUSTOMERS) * SLOTS + slot
}

export function getSlotCustomer(id: number): number {
  return Math.floor((id - 1) / SLOTS) + 1
}

export function getSlot(id: number): number {
  return ((id - 1) % SLOTS) + 1
}

export function computeLogId(customerId: number, slot: number): number {
  return NIGHTLY_LOG_IDS + computeSlotId(customerId, slot)
}

export function getLogCustomer(id: number): number | undefined {
  return getNightlyLogPosition(id) === undefined ? getSlotCustomer(id - NIGHTLY_LOG_IDS) : undefined
}

/** Computes the position of a log without a customer, counted from 1; undefined for logs of customers. */
export function getNightlyLogPosition(id: number): number | undefined {
  // The latest night is the first.
  if (isFutureId(id)) return getRootCustomer(id) === 0 ? 1 : undefined
  const place = ((id - 1) % LOG_BLOCK) + 1
  return place <= NIGHTLY_LOG_IDS ? place : undefined
}

export const getLogOrdinal = (id: number): number =>
  isFutureId(id) ? id % IDS_PER_DAY : Math.floor((id - 1) / LOG_BLOCK)

export const computeNightlyLogId = (ordinal: number, place: number): number => ordinal * LOG_BLOCK + place

/** Computes the id of a part of a record, which has at most nine parts, counted from 1. */
export function computePartId(id: number, part: number): number {
  // NOTE: ten times a huge id would be too large, so the parts of huge ids share the range below the largest id.
  const whole = id < SAFE_WHOLES ? id : SAFE_WHOLES - 1 - ((MAX_INTEGER - id) % 1_000_000_000_000)
  return whole * 10 + part
}

/** The number of members who share the same customers: all members of an organization of up to 2,000 customers. */
export const DIVISION = 60

export function countMembers(customers: number): number {
  return Math.max(Math.min(DIVISION, 12 + Math.floor(customers / 25)), Math.floor(customers / 25) - 20)
}

/** Counts the customers that an organization had before the member at a position came; 0 for the first members. */
export const countCustomersBefore = (position: number): number =>
  position <= 12 ? 0 : position <= DIVISION ? (position - 12) * 25 : (position + 20) * 25

const SAFE_CUSTOMERS = 1_000_000_000_000_000
const SAFE_WHOLES = Math.floor(MAX_INTEGER / 10)
