import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

import { InvalidContent } from '../../core/json-text.ts'
import { describeWriteError } from '../../store/disk/storage-errors.ts'
import { rejectPipe } from '../server/option-files.ts'
import { CommandError } from './failure.ts'

/** A test case of a report. */
export interface TestCase {
  readonly name: string
  readonly tookMs?: number | undefined
  /** The fault in words, its first line as the summary. */
  readonly failure?: string | undefined
  readonly isSkipped?: boolean
}

/** Formats test cases as JUnit XML, which CI systems show. @param warnings the lines of warnings, which fail nothing */
export function formatJUnit(suite: string, cases: readonly TestCase[], warnings: readonly string[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter(({ isSkipped }) => isSkipped).length
  const seconds = formatSeconds(cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0))
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`
  const lines = cases.map(({ name, tookMs = 0, failure, isSkipped }) => {
    const head = `    <testcase classname="${suite}" name="${escape(name)}" time="${formatSeconds(tookMs)}"`
    if (isSkipped) return `${head}><skipped/></testcase>`
    if (failure === undefined) return `${head}/>`
    const [message = ''] = failure.split('\n')
    return `${head}>\n      <failure message="${escape(message)}">${escape(failure)}</failure>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // Jenkins' schema knows no `skipped` here.
    `<testsuites name="workspace-sandbox" ${counts} time="${seconds}">`,
    `  <testsuite name="${suite}" ${counts} skipped="${skipped}" time="${seconds}">`,
    ...lines,
    ...(warnings.length === 0 ? [] : [`    <system-err>${escape(warnings.join('\n'))}</system-err>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const formatSeconds = (ms: number): string => (ms / 1_000).toFixed(3)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text, and replaces what XML 1.0 does not allow even as a reference. */
const escape = (text: string): string =>
  text
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
    // oxlint-disable-next-line no-control-regex -- these are what XML does not allow
    .replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF\p{Surrogate}]/gu, '\uFFFD')

/** Writes a report, over an older one. @throws CommandError */
export async function writeReport(path: string, text: string): Promise<void> {
  try {
    if (existsSync(path)) await rejectPipe(path)
    await writeFile(path, text)
  } catch (error) {
    const fact = error instanceof InvalidContent ? error.message : describeWriteError(error)
    throw new CommandError(`Cannot write ${path}: ${fact}. Choose a file that can be written.`)
  }
}
