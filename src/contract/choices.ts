import { type AssumptionId, assumptions } from './assumptions.ts'
import type { Choice } from './choice.ts'
import type { Shapes } from './learned-shapes.ts'

type Assumptions = typeof assumptions

type ChoiceIn<A> = A extends { readonly choice: Choice<infer V, infer N> }
  ? { readonly name: N; readonly value: V }
  : never

type ChoiceValues = {
  readonly [C in ChoiceIn<Assumptions[AssumptionId]> as C['name']]: C['value']
}

export type Settings = ChoiceValues & { readonly shapes?: Shapes }

export type ChoiceName = keyof ChoiceValues

/** The choices of all assumptions that can be overridden, by name. Order: by id. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the choice of each name
export const choices = Object.fromEntries(
  Object.entries(assumptions).flatMap(([id, assumption]) =>
    'choice' in assumption ? [[assumption.choice.name, { assumption: id, ...assumption.choice }]] : [],
  ),
) as { readonly [N in ChoiceName]: Choice<Settings[N], N> & { readonly assumption: AssumptionId } }
