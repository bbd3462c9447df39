import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type ChoiceName, choices } from '../../src/contract/choices.ts'
import { choiceNames, defaultSettings } from '../../src/contract/settings.ts'
import { isFullScale } from '../reliability/figures.ts'
import { calibrateOverHttp, calibrateFromHar } from './calibrate-support.ts'

/** The choices that show only in answers to writes, or with the ids of another organization. */
const hidden: ReadonlySet<ChoiceName> = new Set(['createStatus', 'noteTouches', 'foreignRecord'])

const alternatives = choiceNames.flatMap((name) =>
  choices[name].alternatives.slice(1).map(({ value }): [ChoiceName, unknown] => [name, value]),
)

const ways = [
  ['over HTTP', calibrateOverHttp, alternatives.filter(([name]) => !hidden.has(name))],
  ['in a recording', calibrateFromHar, alternatives],
] as const

describe.runIf(isFullScale).each(ways)('%s', (_way, run, reachable) => {
  it.each(reachable)('finds %s when a tenant answers by %j', async (name, value) => {
    const { calibration, findings } = await run({ [name]: value })
    expect(calibration.assumptions).toEqual({ [name]: value })
    expect(calibration.shapes).toEqual({})
    expect(findings).toEqual([])
  })
})

const most = Math.max(...choiceNames.map((name) => choices[name].alternatives.length))

it.each(Array.from({ length: most - 1 }, (_, index) => index + 1))(
  'finds alternative %i of every assumption in one recording',
  async (index) => {
    const settings = Object.fromEntries(
      choiceNames.map((name) => {
        const { alternatives: all } = choices[name]
        return [name, all[Math.min(index, all.length - 1)]?.value]
      }),
    )
    expect((await calibrateFromHar(settings)).calibration.assumptions).toEqual(settings)
  },
)

it('a recording of a tenant like the sandbox confirms every assumption', async () => {
  const { verdicts, calibration } = await calibrateFromHar({})
  expect(calibration.assumptions).toEqual({})
  expect(choiceNames.filter((name) => verdicts[name].verdict !== 'confirmed')).toEqual([])
})

/** Any combination of alternatives. */
const combination = fc.record(
  Object.fromEntries(
    choiceNames.map((name) => [
      name,
      fc.constantFrom(...choices[name].alternatives.map(({ value }) => value)),
    ]),
  ),
)

/** The settings of a combination that differ from the defaults. */
function listOverrides(settings: Readonly<Record<string, unknown>>, leftOut: ReadonlySet<string>) {
  return Object.fromEntries(
    choiceNames.flatMap((name) =>
      leftOut.has(name) || settings[name] === defaultSettings[name] ? [] : [[name, settings[name]]],
    ),
  )
}

const runs = { numRuns: isFullScale ? 100 : 3, seed: 28 }

it('finds any combination of alternatives over HTTP', async () => {
  const property = fc.asyncProperty(combination, async (settings) => {
    const { calibration, findings } = await calibrateOverHttp(settings)
    expect(calibration.assumptions).toEqual(listOverrides(settings, hidden))
    expect([calibration.shapes, findings]).toEqual([{}, []])
  })
  await fc.assert(property, runs)
})

it('finds any combination of alternatives in a recording', async () => {
  const property = fc.asyncProperty(combination, async (settings) => {
    const { calibration, findings } = await calibrateFromHar(settings)
    expect(calibration.assumptions).toEqual(listOverrides(settings, new Set()))
    expect([calibration.shapes, findings]).toEqual([{}, []])
  })
  await fc.assert(property, runs)
})
