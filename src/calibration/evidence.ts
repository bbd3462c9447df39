import type { Verdict } from '../contract/calibration.ts'
import { type ChoiceName, choices } from '../contract/choices.ts'
import { getOrCreate } from '../core/maps.ts'
import type { Answer } from './answers.ts'

export type Survivors = readonly number[]

export const findAlternatives = (
  name: ChoiceName,
  fits: (value: unknown, at: number) => boolean,
): Survivors => choices[name].alternatives.flatMap(({ value }, at) => (fits(value, at) ? [at] : []))

interface Observation {
  readonly survivors: Survivors
  readonly answers: Set<Answer>
  records: number
}

export class Evidence {
  readonly #observations = new Map<ChoiceName, Map<string, Observation>>()
  readonly #observed = new Map<ChoiceName, string>()
  readonly #proposed = new Map<ChoiceName, unknown>()

  /** Adds an observation, unless it excludes nothing. @param records the number of records that exclude an alternative */
  add(name: ChoiceName, survivors: Survivors, answer: Answer, records = 0): void {
    if (survivors.length === choices[name].alternatives.length) return
    const byKey = getOrCreate(this.#observations, name, () => new Map<string, Observation>())
    const observation = getOrCreate(byKey, survivors.join(), () => ({
      survivors,
      answers: new Set<Answer>(),
      records: 0,
    }))
    observation.answers.add(answer)
    observation.records += records
  }

  describe(name: ChoiceName, observed: string): void {
    if (!this.#observed.has(name)) this.#observed.set(name, observed)
  }

  propose(name: ChoiceName, value: unknown): void {
    if (value !== undefined) this.#proposed.set(name, value)
  }

  judge(name: ChoiceName): Verdict {
    const all = [...(this.#observations.get(name)?.values() ?? [])]
    const answers = new Set(all.flatMap((one) => [...one.answers])).size
    const records = all.reduce((sum, one) => sum + one.records, 0)
    const counts = { answers, records }
    const [observed, value] = [this.#observed.get(name), this.#proposed.get(name)]
    const described = { ...counts, ...(observed !== undefined && { observed }) }
    if (all.length === 0) return { verdict: 'undecided', ...counts }
    if (all.every(({ survivors }) => survivors.length === 0)) {
      return { verdict: 'otherwise', ...described, ...(value !== undefined && { value }) }
    }
    const fitting = findAlternatives(name, (_, at) => all.every(({ survivors }) => survivors.includes(at)))
    const [only, ...others] = fitting
    if (only === undefined) return { verdict: 'contradictory', ...described }
    if (others.length > 0) return { verdict: 'undecided', ...counts }
    const verdict = only === 0 ? 'confirmed' : 'decided'
    return { verdict, value: choices[name].alternatives[only]?.value, ...counts }
  }
}
