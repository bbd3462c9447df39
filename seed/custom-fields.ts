import type { Row } from '../src/store/tables.ts'
import type { Buyer } from './commercials.ts'
import type { Random } from './random.ts'
import type { Stage } from './stages.ts'
import { DAY, date } from './time.ts'

type Definition = Row<'customFields'>
type Value = Row<'customers'>['customFields'][number]

interface Subject extends Buyer {
  readonly industry: string
}

/** Generates the custom field values of a customer; some are empty, some are missing. */
export function generateFieldValues(definitions: readonly Definition[], subject: Subject): Value[] {
  return definitions.flatMap((definition) => {
    const random = subject.key.for(`field ${definition.key}`)
    if (random.chance(0.12) || (subject.stage === 'prospect' && notForProspects.has(definition.key)))
      return []
    const isEmpty = random.chance(0.07)
    const value = known[definition.key]?.(subject, random) ?? generateAny(definition, subject, random)
    return [{ key: definition.key, value: isEmpty ? null : value }]
  })
}

const notForProspects: ReadonlySet<string> = new Set([
  'contractSigned',
  'goLiveDate',
  'npsScore',
  'healthScore',
])

const scores: Readonly<Record<Stage, readonly [number, number]>> = {
  prospect: [40, 60],
  onboarding: [48, 78],
  growing: [74, 98],
  steady: [58, 84],
  atRisk: [14, 47],
  churned: [2, 22],
}

const goals = [
  'Every site works with the same figures by the end of the year',
  'Half the time from question to answer',
  'No more spreadsheets in the weekly review',
  'One owner for each number that the board sees',
  'Fewer than five escalations a quarter',
  'Roll-out to all regions before the summer',
  'New colleagues productive within two weeks',
  'Audit passed without findings',
  'Ten per cent less stock at the same service level',
  'Contracts signed within three days',
]

/** Generators for the fields in the catalog. */
const known: Readonly<Record<string, (subject: Subject, random: Random) => unknown>> = {
  industry: ({ industry }) => industry,
  tier: ({ segment }, random) => {
    if (segment.name === 'Enterprise')
      return random.weighted([
        ['Gold', 4],
        ['Silver', 1],
      ])
    return segment.name === 'Mid-Market'
      ? random.weighted([
          ['Silver', 3],
          ['Gold', 1],
        ])
      : 'Bronze'
  },
  contractSigned: (subject) => date(subject.nowMs - contractAge(subject) * DAY),
  npsScore: ({ stage }, random) =>
    stage === 'atRisk' || stage === 'churned' ? random.int(0, 6) : random.int(6, 10),
  healthScore: ({ stage }, random) => random.int(...scores[stage]),
  isReference: ({ stage }, random) => stage === 'growing' && random.chance(0.5),
  successGoal: (_, random) => random.pick(goals),
  goLiveDate: (subject, random) => {
    const days =
      subject.stage === 'onboarding' ? -random.int(7, 90) : contractAge(subject) - random.int(30, 200)
    return date(subject.nowMs - days * DAY)
  },
}

/** Generates the age of the contract. Units: days. */
function contractAge({ key, stage }: Subject): number {
  const random = key.for('contract')
  return stage === 'onboarding' ? random.int(10, 80) : random.int(400, 2200)
}

function generateAny(definition: Definition, subject: Subject, random: Random): unknown {
  return generatorsByType[definition.type](definition, subject, random)
}

/** Generators for other fields, by type. */
const generatorsByType: Readonly<
  Record<Definition['type'], (definition: Definition, subject: Subject, random: Random) => unknown>
> = {
  text: (_definition, _subject, random) => random.pick(goals),
  number: (_definition, _subject, random) => random.int(0, 100),
  boolean: (_definition, _subject, random) => random.chance(0.5),
  date: (_definition, { nowMs }, random) => date(nowMs - random.int(0, 900) * DAY),
  select: ({ options }, _subject, random) => (options.length === 0 ? null : random.pick(options)),
}
