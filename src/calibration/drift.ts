import type { AssumptionId } from '../contract/assumptions.ts'
import type { Calibration, Finding, Verdict } from '../contract/calibration.ts'
import { type ChoiceName, choices } from '../contract/choices.ts'
import { choiceNames, formatSetting } from '../contract/settings.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { CalibrationResult } from './calibrate.ts'
import { inferSchema } from './shapes.ts'

export interface Drift {
  /** The assumption; undefined for a learned shape, or for something that has no switch. */
  readonly id: AssumptionId | undefined
  readonly subject: string
  readonly from: string
  readonly to: string
  /** `moved`: the tenant answers in another way; `lost`: no answer shows it any more. */
  readonly kind: 'moved' | 'lost'
}

export function findDrift(earlier: Calibration, now: CalibrationResult): readonly Drift[] {
  return [
    ...choiceNames.flatMap((name) => compareVerdicts(name, earlier, now.verdicts[name])),
    ...compareShapes(earlier, now),
    ...compareFindings(earlier, now),
  ]
}

function compareVerdicts(name: ChoiceName, { verdicts = {} }: Calibration, now: Verdict): Drift[] {
  const { assumption: id } = choices[name]
  const before = verdicts[id]
  if (!before || before.answers === 0) {
    return now.answers === 0
      ? []
      : [{ id, subject: name, from: 'not seen', to: describe(name, now), kind: 'moved' }]
  }
  const [from, to] = [describe(name, before), describe(name, now)]
  if (now.answers === 0 || (now.verdict === 'undecided' && before.verdict !== 'undecided')) {
    return [{ id, subject: name, from, to: 'not seen', kind: 'lost' }]
  }
  return from === to ? [] : [{ id, subject: name, from, to, kind: 'moved' }]
}

function describe(name: ChoiceName, { verdict, value, observed }: Verdict): string {
  if (value !== undefined && verdict !== 'otherwise') return `${name}=${formatSetting(name, value)}`
  const words = value === undefined ? observed : formatSetting(name, value)
  return words === undefined ? verdict : `${verdict}: ${words}`
}

const describeMove = (subject: string, from: string, to: string): Drift => ({
  id: undefined,
  subject,
  from,
  to,
  kind: 'moved',
})

function compareShapes({ shapes = {} }: Calibration, now: CalibrationResult): Drift[] {
  const proposed: Readonly<Record<string, unknown>> = now.calibration.shapes ?? {}
  const added = Object.keys(proposed).filter((name) => !Object.hasOwn(shapes, name))
  const moved = Object.entries(shapes).flatMap(([name, shape]): Drift[] => {
    const subject = `shapes.${name}`
    const records = now.learned.find((one) => one.name === name)?.records
    if (!records) return [{ ...describeMove(subject, 'learned', 'not seen'), kind: 'lost' }]
    const difference = findDifference(shape, inferSchema(records), '')
    return difference ? [describeMove(subject, ...difference)] : []
  })
  return [...moved, ...added.map((name) => describeMove(`shapes.${name}`, 'as assumed', 'other fields'))]
}

function findDifference(
  earlier: unknown,
  now: unknown,
  path: string,
): readonly [from: string, to: string] | undefined {
  if (!isObject(earlier) || !isObject(now)) return undefined
  const [from, to] = [listTypes(earlier), listTypes(now)]
  const isAllowed = (type: string): boolean =>
    from.includes(type) || (type === 'integer' && from.includes('number'))
  if (from.length > 0 && !to.every(isAllowed)) {
    return [`${path || 'the record'}: ${from.join(' or ')}`, to.join(' or ')]
  }
  const [before, after] = [earlier['properties'], now['properties']]
  if (isObject(before) && isObject(after)) {
    const toPath = (name: string): string => (path === '' ? name : `${path}.${name}`)
    const extra = Object.keys(after).find((name) => !Object.hasOwn(before, name))
    if (extra !== undefined) return [`${toPath(extra)}: absent`, 'present']
    const required = listTexts(now['required'])
    const gone = listTexts(earlier['required']).find((name) => !required.includes(name))
    if (gone !== undefined) return [`${toPath(gone)}: always present`, 'absent at times']
    for (const [name, schema] of Object.entries(after)) {
      const inner = findDifference(before[name], schema, toPath(name))
      if (inner) return inner
    }
  }
  return findDifference(earlier['items'], now['items'], `${path}[]`)
}

const listTypes = ({ type }: JsonObject): string[] => listTexts([type].flat())

const listTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

const toKey = ({ operation, path, observed }: Finding): string => `${operation} ${path} ${observed}`

function compareFindings({ unmodelled = [] }: Calibration, { findings }: CalibrationResult): Drift[] {
  const earlier = new Set(unmodelled.map(toKey))
  return findings
    .filter((finding) => !earlier.has(toKey(finding)))
    .map(({ operation, path, observed }) => describeMove(`${operation} ${path}`.trim(), 'not seen', observed))
}

export function formatDrift(drifts: readonly Drift[]): string[] {
  return drifts.map(({ id, subject, from, to, kind }) => {
    const name = id === undefined ? subject : `${id} ${subject}`
    return `${kind === 'lost' ? 'Lost' : 'Moved'}: ${name}: ${from} → ${to}.`
  })
}
