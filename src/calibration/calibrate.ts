import type { Calibration, Finding, Verdict } from '../contract/calibration.ts'
import { type ChoiceName, choices, type Settings } from '../contract/choices.ts'
import {
  choiceNames,
  defaultSettings,
  parseSettings,
  type PartialSettings,
  withSettings,
} from '../contract/settings.ts'
import { type Answer, listShownRecords, type ShownRecords } from './answers.ts'
import { compareAnswers } from './comparisons.ts'
import { compareDates } from './dates.ts'
import { Evidence } from './evidence.ts'
import { compareFields, compareNotes, compareOpenStrings } from './fields.ts'
import { listFindings } from './findings.ts'
import { type FixedObservation, observeFixed, measureRates, type Rate } from './fixed.ts'
import { comparePages, judgeEnvelopes } from './lists.ts'
import { collectFacts, compareRequests, type Facts } from './requests.ts'
import { type Deviation, isChangedBy, listOwnChoices } from './schemas.ts'
import { collectLearned, type LearnedRecords, listShapesAt, proposeShapes } from './shapes.ts'
import { compareFilterWords, compareSignalStatuses } from './words.ts'

export interface CalibrationResult {
  readonly calibration: Calibration
  readonly verdicts: Readonly<Record<ChoiceName, Verdict>>
  readonly fixed: readonly FixedObservation[]
  readonly findings: readonly Finding[]
  readonly rates: readonly Rate[]
  readonly words: Readonly<Partial<Record<ChoiceName, readonly string[]>>>
  readonly learned: readonly LearnedRecords[]
  readonly answers: number
}

const MAX_PASSES = 4

export function calibrate(answers: readonly Answer[]): CalibrationResult {
  const shown = listShownRecords(answers)
  const facts = collectFacts(answers)
  let pass = comparePass(answers, shown, facts, defaultSettings)
  for (let count = 1; count < MAX_PASSES; count += 1) {
    const next = comparePass(answers, shown, facts, pass.best)
    const isStable = JSON.stringify(next.best) === JSON.stringify(pass.best)
    pass = next
    if (isStable) break
  }
  const { verdicts, best, exclusive } = pass
  const learned = collectLearned(shown)
  const shapes = proposeShapes(learned, best)
  const unmodelled = listFindings(answers, shown, exclusive, facts, best, createCoverage(verdicts, shapes))
  return {
    calibration: {
      assumptions: { ...listOverrides(verdicts) },
      shapes,
      verdicts: Object.fromEntries(choiceNames.map((name) => [choices[name].assumption, verdicts[name]])),
      ...(unmodelled.length > 0 && { unmodelled: [...unmodelled] }),
    },
    verdicts,
    fixed: observeFixed(answers),
    findings: unmodelled,
    rates: measureRates(answers),
    words: listWords(verdicts),
    learned,
    answers: answers.length,
  }
}

function comparePass(
  answers: readonly Answer[],
  shown: readonly ShownRecords[],
  facts: Facts,
  best: Settings,
) {
  const evidence = new Evidence()
  compareFields(shown, best, evidence)
  compareNotes(shown, evidence)
  compareOpenStrings(shown, evidence)
  comparePages(answers, evidence)
  compareRequests(answers, facts, best, evidence)
  compareAnswers(answers, best, evidence)
  const exclusive = compareDates(answers, evidence)
  evidence.propose('signalStatuses', compareSignalStatuses(shown, evidence))
  compareFilterWords('signalStatuses', answers, evidence)
  evidence.propose('customerStatuses', compareFilterWords('customerStatuses', answers, evidence))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a verdict of each choice
  const verdicts = Object.fromEntries(
    choiceNames.map((name) => [name, name === 'envelopes' ? judgeEnvelopes(answers) : evidence.judge(name)]),
  ) as Record<ChoiceName, Verdict>
  return { verdicts, best: withSettings(defaultSettings, listOverrides(verdicts)), exclusive }
}

function listWords(verdicts: CalibrationResult['verdicts']): CalibrationResult['words'] {
  return Object.fromEntries(
    (['signalStatuses', 'customerStatuses'] as const).flatMap((name) => {
      const { verdict, value } = verdicts[name]
      if (verdict !== 'otherwise' || value === undefined) return []
      return [[name, Array.isArray(value) ? value.map(String) : Object.keys(Object(value))]]
    }),
  )
}

function listOverrides(verdicts: Readonly<Record<ChoiceName, Verdict>>): PartialSettings {
  return parseSettings(
    Object.fromEntries(
      choiceNames.flatMap((name) => {
        const { verdict, value } = verdicts[name]
        return value !== undefined && (verdict === 'decided' || verdict === 'otherwise')
          ? [[name, value]]
          : []
      }),
    ),
  )
}

function createCoverage(
  verdicts: Readonly<Record<ChoiceName, Verdict>>,
  shapes: Calibration['shapes'] = {},
): (one: ShownRecords, deviation: Deviation) => boolean {
  return ({ answer, shape }, { path, kind }) => {
    const isLearned = listShapesAt(answer.endpoint.id, shape !== answer.endpoint.shape, path[0]).some(
      (name) => Object.hasOwn(shapes, name),
    )
    if (isLearned) return true
    if (kind === 'extra' || kind === 'missing') return false
    return listOwnChoices(shape).some(
      (name) =>
        ['otherwise', 'contradictory'].includes(verdicts[name].verdict) && isChangedBy(shape, name, path),
    )
  }
}
