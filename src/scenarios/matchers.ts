import * as z from 'zod'

import { withCallerErrors } from '../core/caller-errors.ts'
import { parseInput } from '../core/issues.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import type { ScenarioName } from './definitions.ts'
import { Scenario } from './scenario.ts'

interface ListedRequest {
  readonly id: number
  readonly method: string
  readonly url: string
  readonly status: number | string
  readonly fault?: string | undefined
  readonly scenarios?: readonly { readonly name: string; readonly did: string }[] | undefined
}

interface ActedResult {
  readonly pass: boolean
  readonly message: () => string
}

const Expected = lazyObject(() => ({
  name: Scenario.shape.name,
  times: z.int('must be a whole number').nonnegative('must be 0 or more').optional(),
}))

const MAX_SHOWN = 20

/**
 * Checks whether scenarios of a name have acted: at least once, or exactly as often as expected.
 * @throws SandboxError `invalid_request` for an unknown name
 */
export function checkActed(
  expected: { readonly name: ScenarioName; readonly times?: number | undefined; readonly isNot: boolean },
  scenarios: readonly Scenario[],
  requests: readonly ListedRequest[],
): ActedResult {
  const { name, times } = withCallerErrors('argument', () => parseInput(Expected, expected))
  const acted = scenarios.reduce((sum, scenario) => sum + (scenario.name === name ? scenario.acted : 0), 0)
  const wanted = times === undefined ? 'at least once' : formatTimes(times)
  const lines = [
    `${name}: expected ${expected.isNot ? 'not ' : ''}to act ${wanted}, acted ${formatTimes(acted)}.`,
    ...(scenarios.length > 0 ? ['Scenarios:', ...indent(describeScenarios(scenarios))] : ['No scenarios.']),
    ...(requests.length > 0
      ? ['Latest requests:', ...indent(describeRequests(requests.slice(-MAX_SHOWN)))]
      : ['No requests.']),
  ]
  return { pass: times === undefined ? acted > 0 : acted === times, message: () => lines.join('\n') }
}

const formatTimes = (count: number): string => `${count} time${count === 1 ? '' : 's'}`

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

export function describeScenarios(scenarios: readonly Scenario[]): string[] {
  return scenarios.map(
    ({ id, name, on, matched, acted }) =>
      `${id} ${name}${on === undefined ? '' : ` on ${on}`}: matched ${formatTimes(matched)}, acted ${formatTimes(acted)}`,
  )
}

export function describeRequests(requests: readonly ListedRequest[]): string[] {
  return requests.map(({ id, method, url, status, fault, scenarios = [] }) => {
    const did = scenarios.map((scenario) => `${scenario.name}: ${scenario.did}`)
    const notes = [...(fault === undefined ? [] : [fault]), ...did].map((note) => `(${note})`)
    return [`${id}.`, method, url, '->', status, ...notes].join(' ')
  })
}
