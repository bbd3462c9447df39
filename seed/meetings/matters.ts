import type { SimpleFaker } from '@faker-js/faker'

import { getOrCreate } from '../../src/core/maps.ts'
import { uncapitalize } from '../../src/core/words.ts'
import { DAY } from '../calendar/time.ts'
import { removeLegalForm } from '../customers/stages.ts'
import type { RecordKey } from '../random/record-key.ts'
import { keepFitting } from '../texts/company-size.ts'
import { formatMonth, formatYearDay, weekdays } from '../texts/format.ts'
import { canFill, fillTemplate, splitScript, splitWords, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }
import { readSource, type Source, type Talk } from './talk-source.ts'

/**
 * Composes what is said about the matters that records know until there are enough lines. Each matter draws from its own
 * sequence, so that a changed record changes only what is said about it.
 * Shape: exchanges of lines that begin with their speaker.
 */
export function composeMatters(talk: Talk, count: number, key: RecordKey): string[][] {
  const source = readSource(talk)
  const matters = groupRelated(key.faker('matters').helpers.shuffle(mattersByKind.get(talk.kind) ?? []))
  const exchanges: string[][] = []
  const past: Past = { matters: [], labels: [], turns: new Set() }
  let lines = 0
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const matter of matters) {
      if (lines >= count) return exchanges
      if (round >= (rounds[matter] ?? 1)) continue
      const exchange = speak({ matter, round }, past, source, talk, key)
      lines += exchange.length
      if (exchange.length > 0) exchanges.push(exchange)
    }
  }
  return exchanges
}

const MAX_ROUNDS = 9

type Turn = readonly string[]

interface Topic {
  readonly matter: string
  readonly round: number
}

/** The conversation so far. Order: the last matter first. */
interface Past {
  readonly matters: string[]
  readonly labels: string[]
  readonly turns: Set<Turn>
}

const { byKind, related } = texts.flow

const mattersByKind = new Map(
  byKind.flatMap(({ kinds, matters }) =>
    splitWords(kinds).map((kind) => [kind, splitWords(matters)] as const),
  ),
)

/** The matters that come up more than once in a meeting, and how often. */
const rounds: Readonly<Record<string, number>> = texts.flow.rounds

const groupRelated = (matters: readonly string[]): string[] =>
  [...new Set(matters.flatMap((matter) => related.find((group) => group.includes(matter)) ?? matter))].filter(
    (matter) => matters.includes(matter),
  )

const labels: Readonly<Record<string, string>> = texts.labels

const threadsByMatter = new Map(
  Object.entries(texts.matters).map(([matter, lines]) => [matter, splitScript(lines)]),
)

function speak({ matter, round }: Topic, past: Past, source: Source, talk: Talk, key: RecordKey): string[] {
  const faker = key.faker(matter, `${round}`)
  const facts = gatherFacts(source, talk, { matter, round }, faker)
  if (!facts) return []
  const isSoon = matter === 'renewal' && source.isRenewalSoon
  const threads = keepFitting(
    threadsByMatter.get(isSoon ? 'renewalSoon' : matter) ?? [],
    talk.customer.employeeCount,
  )
  const start = key.faker(matter).number.int({ max: threads.length - 1 })
  const thread = threads[(start + round) % threads.length] ?? []
  const label = fillTemplate(labels[matter] ?? '', facts)
  const [last] = past.matters
  const isRelated = last && related.some((group) => group.includes(last) && group.includes(matter))
  const before = isRelated ? past.labels[0] : undefined
  const words = Object.assign(facts, { label, before, earlier: past.labels[3] })
  const links = last ? (isRelated ? texts.links : texts.changes) : []
  const turns = connect(thread, links, words, past.turns, key.faker(matter, `${round} turns`))
  const lines = turns.map((line) => fillLine(line, words, faker))
  past.matters.unshift(matter)
  past.labels.unshift(label)
  return lines
}

/** Links the lines of a thread that have their facts to those before, and lets others interrupt or come back to it. */
function connect(
  [first = '', ...rest]: Turn,
  links: readonly Turn[],
  facts: Facts,
  used: Set<Turn>,
  faker: SimpleFaker,
): Turn {
  const canSay = (line: string): boolean => canFill(line, facts)
  const maybe = (list: readonly Turn[], probability: number): Turn => {
    const isPossible = (lines: Turn) => !used.has(lines) && lines.every(canSay)
    if (!list.some(isPossible) || !faker.datatype.boolean(probability)) return []
    const turn = faker.helpers.arrayElement(list.filter(isPossible))
    used.add(turn)
    return turn
  }
  // Nobody interrupts between a question and its answer, or while something is shown.
  const isPause =
    rest[0]?.startsWith('G: ') && !rest[0].includes('?') && !rest.some((line) => line.startsWith('S: '))
  const [link] = maybe(first.includes(':', 3) ? [] : links, 0.35)
  const begin =
    link === undefined ? first : `${first.slice(0, 3)}${link} ${decapitalizeTemplate(first.slice(3))}`
  return [
    ...(canSay(first) ? [begin] : []),
    ...rest.slice(0, 1).filter(canSay),
    ...(isPause ? maybe(texts.interruptions, 0.3) : []),
    ...rest.slice(1).filter(canSay),
    ...maybe(texts.returns, 0.2),
  ]
}

/** Begins a template, or each of the alternatives that it begins with, in lower case, except for "I". */
const decapitalizeTemplate = (template: string): string =>
  template.replace(/^\[[^\]]*\]|^./, (start) =>
    start.replace(/(^|[[|])(?!I\b)([A-Z])/g, (text) => text.toLowerCase()),
  )

const choicesByLine = new Map<string, readonly (readonly string[])[]>()

/** Fills a line, in which alternatives are between brackets: `[Yes|Of course], {{guest}}.` */
function fillLine(line: string, facts: Facts, faker: SimpleFaker): string {
  const choices = getOrCreate(choicesByLine, line, () =>
    line.split(/\[([^[\]]*)\]/).map((part) => part.split('|')),
  )
  let text = ''
  for (const [place, templates] of choices.entries()) {
    text += fillTemplate(
      place % 2 === 0 ? (templates[0] ?? '') : faker.helpers.arrayElement(templates),
      facts,
    )
  }
  return text
}

const decapitalize = (text: string): string =>
  text.charAt(1) === text.charAt(1).toLowerCase() ? uncapitalize(text) : text

function gatherFacts(
  source: Source,
  { meeting, customer, words }: Talk,
  { matter, round }: Topic,
  faker: SimpleFaker,
): Facts | undefined {
  const timeMs = Date.parse(meeting.startDate)
  const { plan, colleagues, members } = source
  const employees = customer.employeeCount
  const count = faker.number.int({ min: 3, max: Math.max(4, Math.min(60, Math.floor(employees * 0.4))) })
  const few = faker.number.int({ min: 4, max: 6 })
  const metric = source.metrics[round]
  const signal = source.signals[round]
  const wish = source.wishes[round]
  const trouble = source.troubles[round]
  const needs: Partial<Record<string, unknown>> = {
    scope: source.isOpen.scope || undefined,
    target: source.isOpen.target || undefined,
    metric,
    signal,
    wish,
    want: wish,
    trouble,
    renewal: source.renewal,
    goal: source.goal,
  }
  if (matter in needs && needs[matter] === undefined) return undefined
  return {
    customer: removeLegalForm(customer.name),
    city: customer.city,
    colleague: faker.helpers.arrayElement(colleagues),
    colleague2: members.length > 0 ? faker.helpers.arrayElement(members) : 'our team',
    product: plan.name,
    users: plan.users,
    activity: plan.activity,
    wish: wish ?? plan.wishes[0],
    trouble: trouble ?? plan.troubles[0],
    metric: metric?.name,
    value: metric?.value,
    signal: signal?.summary,
    date: signal && formatYearDay(Date.parse(signal.raisedDate ?? signal.createdDate)),
    renewal: source.renewal,
    goal: source.goal && decapitalize(source.goal),
    month: formatMonth(timeMs + faker.number.int({ min: 33, max: 100 }) * DAY),
    lastMonth: formatMonth(timeMs - faker.number.int({ min: 31, max: 70 }) * DAY),
    weekday: faker.helpers.arrayElement(weekdays),
    weeks: faker.number.int({ min: 2, max: 9 }),
    count,
    more: count + faker.number.int({ min: 3, max: 40 }),
    evenMore: count + faker.number.int({ min: 45, max: 80 }),
    few,
    tens: source.progress,
    hour: `${faker.number.int({ min: 8, max: 11 })}:${faker.helpers.arrayElement(['00', '15', '30', '45'])}`,
    ...words,
    ...(matter === 'work' || matter === 'exercise' ? source.weekly : {}),
  }
}
