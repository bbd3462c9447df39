import type { SimpleFaker } from '@faker-js/faker'

import { canFill, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }

/** Connects the lines of a thread with what was said before: people link, interrupt, and come back to something. */
export function connect(thread: readonly string[], faker: SimpleFaker, facts: Facts): readonly string[] {
  const [first = '', ...rest] = thread
  const maybe = (list: readonly (readonly string[])[], probability: number): readonly string[] => {
    const possible = list.filter((lines) => lines.every((line) => canFill(line, facts)))
    return possible.length > 0 && faker.datatype.boolean(probability)
      ? faker.helpers.arrayElement(possible)
      : []
  }
  // Nobody interrupts between a question and its answer, or while something is shown.
  const isPause = !rest[0]?.endsWith('?') && !rest.some((line) => line.startsWith('S: '))
  const [link] = maybe(texts.links, 0.4)
  return [
    link === undefined ? first : `${first.slice(0, 3)}${link} ${first.slice(3)}`,
    ...rest.slice(0, 1),
    ...maybe(texts.interruptions, isPause ? 0.45 : 0),
    ...rest.slice(1),
    ...maybe(texts.returns, 0.25),
  ]
}
