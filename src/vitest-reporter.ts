import type { Reporter, TestCase, Vitest } from 'vitest/node'

import type { AssumptionReport } from './control/journal/assumptions-report.ts'
import { summed } from './control/journal/assumptions-sum.ts'
import { reportLines } from './control/journal/assumptions-table.ts'

/** What a test leaves to the reporter. */
export interface SandboxMeta {
  /** What its requests rest on; absent where it was given no session. */
  workspaceSandbox?: AssumptionReport
}

type Logger = Pick<Vitest['logger'], 'log'>

/**
 * A reporter that says at the end of a run on which assumptions its tests rest, and which rest on documented rules
 * only. It counts the tests that use the fixtures of `workspace-sandbox/vitest`, in whatever worker they ran.
 */
export function assumptionReporter(): Reporter {
  let logger: Logger | undefined
  return {
    onInit: (vitest) => {
      logger = vitest.logger
    },
    onTestRunEnd: (modules) => {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const report = summed(tests.flatMap(reportOf))
      if (report.requests > 0) logger?.log(`\n${reportLines(report, 'test').join('\n')}\n`)
    },
  }
}

/** What a test rests on, counted as one, whatever it asked; nothing where it asked for nothing. */
function reportOf(test: TestCase): AssumptionReport[] {
  const { workspaceSandbox: report }: SandboxMeta = test.meta()
  if (!report || report.requests === 0) return []
  const { assumptions, documented, faulted } = report
  const isDocumented = assumptions.length === 0 && documented.count > 0
  return [
    {
      assumptions: assumptions.map((one) => ({ ...one, count: 1 })),
      requests: 1,
      documented: isDocumented ? { count: 1, operations: [test.fullName] } : { count: 0, operations: [] },
      faulted: faulted === report.requests ? 1 : 0,
      forgotten: 0,
    },
  ]
}
