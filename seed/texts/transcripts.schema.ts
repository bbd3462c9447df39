import * as z from 'zod'

import { templateWith } from './template-schema.ts'
import { splitScript } from './templates.ts'

/** A line by the host (H), somebody with the host (S), the guest (G) or somebody with the guest (O). */
const line = templateWith(['host', 'guest', 'other', 'greeting', 'subject']).regex(/^[HSGO]: /)
const exchanges = z.array(z.array(line).min(1))

/** A script has at least so many exchanges, and each of them so many lines. */
const script = (spoken: z.ZodString, leastExchanges: number, leastLines: number) =>
  z.array(spoken.or(z.literal(''))).refine((lines) => {
    const parts = splitScript(lines)
    return parts.length >= leastExchanges && parts.every(({ length }) => length >= leastLines)
  }, `Expected ${leastExchanges} exchanges of ${leastLines} lines.`)

const slots = [
  ...(['customer', 'city', 'host', 'guest', 'colleague', 'colleague2', 'product', 'users'] as const),
  ...(['activity', 'wish', 'trouble', 'metric', 'value', 'signal', 'date', 'renewal', 'goal'] as const),
  ...(['month', 'lastMonth', 'weekday', 'weeks', 'count', 'more', 'evenMore', 'few'] as const),
  ...(['tens', 'hour'] as const),
]
const matter = templateWith(slots).regex(/^[HSGO]: /)
const turn = templateWith([...slots, 'before', 'label', 'earlier', 'other'])
const turns = z.array(z.array(turn.regex(/^[HSGO]: /)).min(2)).min(3)

export const schema = z.strictObject({
  greetings: exchanges.min(20),
  agendas: z
    .array(line.refine((text) => text.includes('{{subject}}'), 'An agenda names the subject of the meeting.'))
    .min(20),
  talks: z.record(z.string(), script(line, 6, 1)),
  asides: exchanges.min(20),
  wrapUps: exchanges.min(10),
  tasks: z.strictObject({
    own: z.array(line).min(1),
    theirs: z.array(templateWith(['person']).regex(/^H: /)).min(1),
    open: z.array(line).min(1),
  }),
  farewells: exchanges.min(20),
  labels: z.record(z.string(), templateWith(slots)),
  /** Beginnings of a sentence that link a matter to the one before, and those that change the subject. */
  links: z.array(z.array(turn).length(1)).min(1),
  changes: z.array(z.array(turn).length(1)).min(1),
  interruptions: turns,
  returns: turns,
  /** Statements about a matter, of which one is chosen. Alternatives are in brackets, as in `[today|now]`. */
  matters: z.record(z.string(), script(matter, 1, 3)),
})
