import type { AssumptionId } from '../../contract/assumptions.ts'
import { type AssumptionReport, byUse, type UsedAssumption } from './assumptions-report.ts'

/** The reports of several sessions as one; without ids of requests, because every session has its own. */
export function summed(reports: readonly AssumptionReport[]): AssumptionReport {
  const used = new Map<AssumptionId, UsedAssumption>()
  for (const one of reports.flatMap(({ assumptions }) => assumptions)) {
    const before = used.get(one.id)
    const operations = union([before?.operations ?? [], one.operations])
    used.set(one.id, { ...one, count: (before?.count ?? 0) + one.count, operations, requestIds: [] })
  }
  const sum = (of: (report: AssumptionReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0)
  return {
    assumptions: [...used.values()].toSorted(byUse),
    requests: sum(({ requests }) => requests),
    documented: {
      count: sum(({ documented }) => documented.count),
      operations: union(reports.map(({ documented }) => documented.operations)),
    },
    faulted: sum(({ faulted }) => faulted),
    forgotten: sum(({ forgotten }) => forgotten),
  }
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].toSorted()
