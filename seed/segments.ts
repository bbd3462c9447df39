/** A segment with the sizes and the yearly spending of its customers. */
export interface Segment {
  readonly name: string
  readonly weight: number
  readonly employees: readonly [min: number, max: number]
  /** The yearly price of one product. Units: US dollars. */
  readonly arr: readonly [min: number, max: number]
  /** The number of products per customer, by weight. */
  readonly products: readonly (readonly [count: number, weight: number])[]
}

/** The segments, smallest customers first. */
export const segments: readonly Segment[] = [
  {
    name: 'Startup',
    weight: 14,
    employees: [4, 60],
    arr: [1200, 9600],
    products: [
      [1, 8],
      [2, 2],
    ],
  },
  {
    name: 'SMB',
    weight: 30,
    employees: [20, 199],
    arr: [3600, 24_000],
    products: [
      [1, 6],
      [2, 3],
      [3, 1],
    ],
  },
  {
    name: 'Mid-Market',
    weight: 36,
    employees: [200, 999],
    arr: [15_000, 90_000],
    products: [
      [1, 3],
      [2, 4],
      [3, 3],
    ],
  },
  {
    name: 'Enterprise',
    weight: 20,
    employees: [1000, 48_000],
    arr: [60_000, 420_000],
    products: [
      [1, 1],
      [2, 3],
      [3, 4],
      [4, 2],
    ],
  },
]

/** Finds a segment by name; undefined if it is not in the catalog. */
export const findSegment = (name: string): Segment | undefined =>
  segments.find((segment) => segment.name === name)

/** Finds the segment that fits a number of employees. */
export function findSegmentBySize(employees: number): Segment | undefined {
  return segments.findLast((segment) => employees >= segment.employees[0]) ?? segments[0]
}
