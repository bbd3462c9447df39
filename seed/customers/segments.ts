import type { Range } from '../random/fakers.ts'

export interface Segment {
  readonly name: string
  readonly weight: number
  readonly employees: Range
  /** The yearly price of one product. Units: US dollars. */
  readonly arr: Range
  readonly products: readonly { readonly weight: number; readonly value: number }[]
}

/** The segments, smallest customers first. */
export const segments: readonly Segment[] = [
  {
    name: 'Startup',
    weight: 14,
    employees: { min: 4, max: 60 },
    arr: { min: 1200, max: 9600 },
    products: [
      { weight: 8, value: 1 },
      { weight: 2, value: 2 },
    ],
  },
  {
    name: 'SMB',
    weight: 30,
    employees: { min: 20, max: 199 },
    arr: { min: 3600, max: 24_000 },
    products: [
      { weight: 6, value: 1 },
      { weight: 3, value: 2 },
      { weight: 1, value: 3 },
    ],
  },
  {
    name: 'Mid-Market',
    weight: 36,
    employees: { min: 200, max: 999 },
    arr: { min: 15_000, max: 90_000 },
    products: [
      { weight: 3, value: 1 },
      { weight: 4, value: 2 },
      { weight: 3, value: 3 },
    ],
  },
  {
    name: 'Enterprise',
    weight: 20,
    employees: { min: 1000, max: 48_000 },
    arr: { min: 60_000, max: 420_000 },
    products: [
      { weight: 1, value: 1 },
      { weight: 3, value: 2 },
      { weight: 4, value: 3 },
      { weight: 2, value: 4 },
    ],
  },
]

export const findSegment = (name: string): Segment | undefined =>
  segments.find((segment) => segment.name === name)

export function findSegmentBySize(employees: number): Segment | undefined {
  return segments.findLast((segment) => employees >= segment.employees.min) ?? segments[0]
}
