import type { SimpleFaker } from '@faker-js/faker'

import { canFill, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }

type Turn = readonly string[]

interface Connection {
  readonly links: readonly Turn[]
  readonly facts: Facts
  readonly used: Set<Turn>
}

export function connect(thread: Turn, { links, facts, used }: Connection, faker: SimpleFaker): Turn {
  const [first = '', ...rest] = thread
  const maybe = (list: readonly Turn[], probability: number): Turn => {
    const possible = list.filter((lines) => !used.has(lines) && lines.every((line) => canFill(line, facts)))
    if (possible.length === 0 || !faker.datatype.boolean(probability)) return []
    const turn = faker.helpers.arrayElement(possible)
    used.add(turn)
    return turn
  }
  // Nobody interrupts between a question and its answer, or while something is shown.
  const isPause =
    rest[0]?.startsWith('G: ') && !rest[0].includes('?') && !rest.some((line) => line.startsWith('S: '))
  const [link] = maybe(first.includes(':', 3) ? [] : links, 0.35)
  return [
    link === undefined ? first : `${first.slice(0, 3)}${link} ${decapitalize(first.slice(3))}`,
    ...rest.slice(0, 1),
    ...maybe(texts.interruptions, isPause ? 0.3 : 0),
    ...rest.slice(1),
    ...maybe(texts.returns, 0.2),
  ]
}

/** Begins a template, or each of the alternatives that it begins with, in lower case, except for "I". */
const decapitalize = (template: string): string =>
  template.replace(/^\[[^\]]*\]|^./, (start) =>
    start.replace(/(^|[[|])(?!I\b)([A-Z])/g, (text) => text.toLowerCase()),
  )
