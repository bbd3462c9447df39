import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { previousWorkingDay } from '../calendar/calendar.ts'
import { DAY, formatDate } from '../calendar/time.ts'
import { readNumber } from '../dataset/customer-rows.ts'
import type { Range } from '../random/record-key.ts'
import { keepFitting } from '../texts/company-size.ts'
import texts from '../texts/customers.json' with { type: 'json' }
import type { Buyer } from './commercials.ts'
import type { Stage } from './stages.ts'

type Definition = Row<'customFields'>
type Value = Row<'customers'>['customFields'][number]

interface Subject extends Buyer {
  readonly country: string
  readonly industry: string
  readonly startMs: number
  readonly ordinal: number
}

export function generateFieldValues(definitions: readonly Definition[], subject: Subject): Value[] {
  const values = definitions.flatMap((definition) => {
    const faker = subject.key.faker('field', definition.key)
    const isTooEarly =
      (subject.stage === 'prospect' && notForProspects.has(definition.key)) ||
      (subject.stage === 'onboarding' && definition.key === 'npsScore')
    if (faker.datatype.boolean(0.12) || isTooEarly) return []
    const isEmpty = faker.datatype.boolean(0.07)
    const value =
      generatorsByKey[definition.key]?.(subject, faker) ??
      generatorsByType[definition.type](definition, subject, faker)
    return [{ key: definition.key, value: isEmpty ? null : value }]
  })
  const health = readNumber({ customFields: values }, 'healthScore')
  return values.map(({ key, value }) => ({
    key,
    value: key === 'npsScore' && typeof value === 'number' ? limitSurveyScore(value, health) : value,
  }))
}

export function limitSurveyScore(score: number, health: number | undefined): number {
  if (health === undefined) return score
  return Math.min(Math.max(score, Math.ceil(health / 10 - 4)), Math.floor(health / 10 + 4))
}

const notForProspects: ReadonlySet<string> = new Set([
  'contractSigned',
  'goLiveDate',
  'npsScore',
  'healthScore',
])

const scores: Readonly<Record<Stage, Range>> = {
  prospect: { min: 40, max: 60 },
  onboarding: { min: 48, max: 78 },
  growing: { min: 74, max: 98 },
  steady: { min: 58, max: 84 },
  atRisk: { min: 14, max: 47 },
  churned: { min: 2, max: 22 },
}

const weighScores = (...weights: readonly number[]) =>
  weights.map((weight, value) => ({ weight, value })).filter(({ weight }) => weight > 0)

const surveys = {
  happy: weighScores(0, 0, 0, 0, 0, 1, 1, 3, 9, 15, 13),
  content: weighScores(0, 0, 0, 1, 1, 2, 3, 8, 13, 11, 7),
  unhappy: weighScores(2, 1, 1, 2, 2, 4, 5, 7, 5, 2, 0),
}

export function chooseSurveyScore(stage: Stage, faker: SimpleFaker): number {
  const mood = stage === 'growing' ? 'happy' : stage === 'steady' ? 'content' : 'unhappy'
  return faker.helpers.weightedArrayElement(surveys[mood])
}

const goalsByIndustry: Readonly<Record<string, readonly string[]>> = texts.goalsByIndustry

function listGoals({ industry, employees, ordinal }: Subject): readonly string[] {
  const { analytics, contracts } = texts.goalsByFamily
  const further = ordinal === 0 ? [...analytics, ...(goalsByIndustry[industry] ?? [])] : contracts
  return keepFitting([...texts.goals, ...further], employees)
}

const generatorsByKey: Readonly<Record<string, (subject: Subject, faker: SimpleFaker) => unknown>> = {
  industry: ({ industry }) => industry,
  tier: ({ segment }, faker) => faker.helpers.arrayElement(segment.tiers),
  contractSigned: ({ nowMs, startMs, country }, faker) => {
    const days = faker.number.int({ min: 1, max: 21 })
    return formatDate(previousWorkingDay(Math.min(nowMs, startMs) - days * DAY, country))
  },
  npsScore: ({ stage }, faker) => chooseSurveyScore(stage, faker),
  healthScore: ({ stage }, faker) => faker.number.int(scores[stage]),
  isReference: ({ stage }, faker) => stage === 'growing' && faker.datatype.boolean(0.5),
  successGoal: (subject, faker) => faker.helpers.arrayElement(listGoals(subject)),
  goLiveDate: (subject, faker) => {
    const { stage, nowMs, country } = subject
    const startMs = Math.min(nowMs, subject.startMs)
    const longest = Math.max(21, Math.min(120, Math.floor((nowMs - startMs) / DAY) - 7))
    const goLiveMs =
      stage === 'onboarding'
        ? nowMs + faker.number.int({ min: 14, max: 90 }) * DAY
        : startMs + faker.number.int({ min: 20, max: longest }) * DAY
    return formatDate(previousWorkingDay(goLiveMs, country))
  },
}

const generatorsByType: Readonly<
  Record<Definition['type'], (definition: Definition, subject: Subject, faker: SimpleFaker) => unknown>
> = {
  text: (_definition, _subject, faker) => faker.helpers.arrayElement(texts.goals),
  number: (_definition, _subject, faker) => faker.number.int({ min: 0, max: 100 }),
  boolean: (_definition, _subject, faker) => faker.datatype.boolean(0.5),
  date: (_definition, { nowMs }, faker) => formatDate(nowMs - faker.number.int({ min: 0, max: 900 }) * DAY),
  select: ({ options }, _subject, faker) =>
    options.length === 0 ? null : faker.helpers.arrayElement(options),
}
