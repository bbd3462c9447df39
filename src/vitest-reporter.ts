import { writeFile } from 'node:fs/promises'

import type { Reporter, TestCase, Vitest } from 'vitest/node'

import { createReportFile, formatReport, formatReportFile } from './explain/report-file.ts'
import { type AssumptionReport, mergeSessions } from './explain/report.ts'

/** The data that a test passes to the reporter. */
export interface SandboxMeta {
  /** The assumptions that its requests depend on; absent if it did not use the `sandbox` fixture. */
  workspaceSandbox?: AssumptionReport
}

/** The options of `assumptionReporter`. */
export interface ReporterOptions {
  /** The file to write the report to, for `workspace-sandbox report merge`. Default: none. @example 'assumptions.json' */
  readonly file?: string | undefined
}

/**
 * Creates a reporter that prints which assumptions the tests of a run depend on, and which tests depend on documented
 * rules only. It counts the tests that use the fixtures of `workspace-sandbox/vitest`.
 * @example
 * export default defineConfig({ test: { reporters: ['default', assumptionReporter()] } })
 */
export function assumptionReporter({ file }: ReporterOptions = {}): Reporter {
  let logger: Pick<Vitest['logger'], 'log'> | undefined
  return {
    onInit: (vitest) => {
      logger = vitest.logger
    },
    onTestRunEnd: async (modules) => {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const report = mergeSessions(tests.flatMap(countTest))
      if (report.requests > 0) logger?.log(`\n${formatReport(report, 'test').join('\n')}\n`)
      if (file === undefined) return
      await writeFile(file, formatReportFile(createReportFile(report, 'test')))
    },
  }
}

function countTest(test: TestCase): AssumptionReport[] {
  const { workspaceSandbox: report }: SandboxMeta = test.meta()
  if (!report || report.requests === 0) return []
  const { assumptions, observed, documented, faulted } = report
  const own = { count: 1, tests: [test.fullName] }
  const isDocumented = assumptions.length === 0 && documented.count > 0
  return [
    {
      assumptions: assumptions.map((one) => ({ ...one, ...own })),
      ...(observed && { observed: observed.map((one) => ({ ...one, ...own })) }),
      requests: 1,
      documented: isDocumented ? { count: 1, operations: [test.fullName] } : { count: 0, operations: [] },
      faulted: faulted === report.requests ? 1 : 0,
      forgotten: 0,
    },
  ]
}
