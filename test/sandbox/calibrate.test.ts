import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { calibrate } from '../../src/calibration/calibrate.ts'
import { type ChoiceName, choices } from '../../src/contract/choices.ts'
import { choiceNames, defaultSettings } from '../../src/contract/settings.ts'
import { isFullScale } from '../reliability/figures.ts'
import { calibrateFromHar, recordTenant } from './calibrate-support.ts'

type Settings = Readonly<Record<string, unknown>>

/** The choices that show only in answers to writes, or with the ids of another organization. */
const hidden: ReadonlySet<string> = new Set<ChoiceName>(['createStatus', 'noteTouches', 'foreignRecord'])

/** Expects that a tenant's settings are found in a recording, and those that answers to reads show over HTTP, too. */
async function expectFound(settings: Settings): Promise<void> {
  const { answers, har } = await recordTenant(settings)
  const [probed, recorded] = [calibrate(answers), calibrateFromHar(har)]
  const overrides = Object.entries(settings).filter(
    ([name, value]) => value !== Reflect.get(defaultSettings, name),
  )
  const shown = overrides.filter(([name]) => !hidden.has(name))
  expect(recorded.calibration.assumptions).toEqual(Object.fromEntries(overrides))
  expect(probed.calibration.assumptions).toEqual(Object.fromEntries(shown))
  for (const { calibration, findings } of [probed, recorded]) {
    expect([calibration.shapes, findings]).toEqual([{}, []])
  }
}

const alternatives = choiceNames.flatMap((name) =>
  choices[name].alternatives.slice(1).map(({ value }): [ChoiceName, unknown] => [name, value]),
)

it.runIf(isFullScale).each(alternatives)('finds %s when a tenant answers by %j', (name, value) =>
  expectFound({ [name]: value }),
)

const most = Math.max(...choiceNames.map((name) => choices[name].alternatives.length))

it.each(Array.from({ length: most - 1 }, (_, index) => index + 1))(
  'finds alternative %i of every assumption in one recording',
  async (index) => {
    const values = choiceNames.map((name) => {
      const { alternatives: all } = choices[name]
      return [name, all[Math.min(index, all.length - 1)]?.value] as const
    })
    const settings = Object.fromEntries(values)
    const { har } = await recordTenant(settings)
    expect(calibrateFromHar(har).calibration.assumptions).toEqual(settings)
  },
)

it('a recording of a tenant like the sandbox confirms every assumption', async () => {
  const { har } = await recordTenant({})
  const { verdicts, calibration } = calibrateFromHar(har)
  expect(calibration.assumptions).toEqual({})
  expect(choiceNames.filter((name) => verdicts[name].verdict !== 'confirmed')).toEqual([])
})

it('finds any combination of alternatives', async () => {
  const values = choiceNames.map(
    (name) => [name, fc.constantFrom(...choices[name].alternatives.map(({ value }) => value))] as const,
  )
  const combination = fc.record(Object.fromEntries<fc.Arbitrary<unknown>>(values))
  const runs = { numRuns: isFullScale ? 100 : 3, seed: 28 }
  await fc.assert(fc.asyncProperty(combination, expectFound), runs)
})
