import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import type { TranscriptLineRow } from '../../src/store/tables/meetings.ts'
import type { Reader } from '../../src/store/texts.ts'
import { RecordKey } from '../random/record-key.ts'
import { keepFitting } from '../texts/company-size.ts'
import { formatName, type PersonName } from '../texts/format.ts'
import { fillTemplate, listSlots, splitScript, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }
import { composeMatters } from './matters.ts'
import { detectKind, extractSubject, kindTexts, readFacts, type MeetingKindId } from './meeting-texts.ts'
import { chooseGreeting } from './meeting-times.ts'
import type { Talk } from './talk-source.ts'

type Meeting = Row<'meetings'>

/**
 * Lines of a conversation, each by one of four speakers: H the host, S somebody with the host, G the guest, O somebody
 * with the guest.
 */
type Exchange = readonly string[]

/** The mean time from one line to the next. Units: seconds. */
const PACE = 40

const LONGEST = 140

/**
 * Generates the transcript of a meeting: about its topic, its summary, its next steps and what the records know. Longer
 * meetings have more lines.
 * Shape: empty if no participant is known. Order: as spoken.
 */
export function generateTranscript(meeting: Meeting, data: Reader, seed: number): TranscriptLineRow[] {
  const cast = findCast(meeting, data)
  const customer = data.get('customers', meeting.customerId)
  if (!cast || !customer) return []
  const key = new RecordKey(seed, 'transcripts', meeting.id)
  const seconds = Math.max(0, Date.parse(meeting.endDate) - Date.parse(meeting.startDate)) / 1000
  const words = {
    host: getFirstName(cast.host),
    guest: getFirstName(cast.guest),
    other: cast.other === undefined ? undefined : getFirstName(cast.other),
    greeting: chooseGreeting(Date.parse(meeting.startDate), customer.timezone),
    subject: extractSubject(meeting.topic),
  }
  const talk = { meeting, kind: detectKind(meeting.topic), customer, words, data, seed }
  const wanted = Math.min(LONGEST, Math.max(10, Math.round(seconds / PACE)))
  const exchanges = arrangeTalk(talk, cast, wanted, key)
  return addTimes(exchanges, cast, seconds, key.faker('time'))
}

function arrangeTalk(talk: Talk, cast: Cast, wanted: number, key: RecordKey): Exchange[] {
  const faker = key.faker('talk')
  const { meeting, kind, words } = talk
  const { employeeCount } = talk.customer
  const isPossible = (lines: Exchange): boolean => cast.other !== undefined || !needsOther(lines)
  const choose = (list: readonly Exchange[], count: number): Exchange[] =>
    faker.helpers
      .arrayElements(keepFitting(list.filter(isPossible), employeeCount), count)
      .map((lines) => fillLines(lines, words))
  // Adds no small talk to serious meetings.
  const maybe = (list: readonly Exchange[], probability: number) =>
    faker.datatype.boolean(serious.has(kind) ? 0 : probability) ? choose(list, 1).flat() : []
  const opening = [
    ...maybe(texts.greetings, 0.75),
    fillTemplate(faker.helpers.arrayElement(texts.agendas), words),
  ]
  const recalled = findSummaryTalk(talk, cast)
  const tasks = meeting.nextSteps.flatMap((step) => phraseStep(step, talk, cast, faker))
  // Lines without facts are repeated in other meetings, so there are few of them.
  const routine =
    recalled.length === 0 || faker.datatype.boolean(0.25) ? choose(talks.get(kind) ?? [], 1).flat() : []
  const aside = maybe(texts.asides, 0.1)
  const wrapUp = tasks.length > 0 && faker.datatype.boolean(0.8) ? choose(texts.wrapUps, 1).flat() : []
  const close = [...wrapUp, ...tasks, ...maybe(texts.farewells, 0.75)]
  const spoken = [opening, recalled, routine, aside, close].reduce((sum, lines) => sum + lines.length, 0)
  const matters = composeMatters(talk, wanted - spoken, key)
  const place = faker.number.int({ max: matters.length })
  const middle = [routine, recalled, ...matters.slice(0, place), aside, ...matters.slice(place)]
  return [opening, ...middle, close].filter(({ length }) => length > 0)
}

const talks = new Map(Object.entries(texts.talks).map(([kind, lines]) => [kind, splitScript(lines)]))

const serious: ReadonlySet<MeetingKindId> = new Set(['escalation', 'offboarding'])

/** Finds the exchange that the summary sums up; empty for a summary written by hand. */
function findSummaryTalk({ meeting, kind, words }: Talk, cast: Cast): Exchange {
  for (const [template, lines] of Object.entries(kindTexts[kind].accounts)) {
    const facts = readFacts(template, meeting.summary ?? '', getNames(cast))
    if (facts) return fillLines(lines, { ...facts, ...words })
  }
  return []
}

/** Phrases the agreement on a next step. One that was written by hand is only hinted at. */
function phraseStep(step: string, { kind, words }: Talk, cast: Cast, faker: SimpleFaker): Exchange {
  for (const [task, said] of Object.entries(kindTexts[kind].steps)) {
    const facts = readFacts(task, step, getNames(cast))
    if (facts) return fillLines(faker.helpers.arrayElement(said), { ...facts, ...words })
  }
  const name = step.slice(0, Math.max(0, step.indexOf(': ')))
  const isTheirs = name !== '' && (name === cast.guest || name === cast.other)
  const lines = name === cast.host ? texts.tasks.own : isTheirs ? texts.tasks.theirs : texts.tasks.open
  return [fillTemplate(faker.helpers.arrayElement(lines), { ...words, person: getFirstName(name) })]
}

const fillLines = (lines: Exchange, facts: Facts): Exchange => lines.map((line) => fillTemplate(line, facts))

type Cast = NonNullable<ReturnType<typeof findCast>>

const getNames = ({ host, guest, other = '' }: Cast): Facts => ({ host, contact: guest, other })

const getFullName = (person: PersonName): string => formatName(person).trim()

const getFirstName = (name: string): string => name.split(' ')[0] ?? name

function findCast(meeting: Meeting, data: Reader) {
  const members = meeting.memberIds.flatMap((id) => data.get('members', id) ?? [])
  const ours = [...new Set([...members, ...meeting.users].map(getFullName))]
  const theirs = [...new Set(meeting.contacts.map(getFullName))].filter((person) => !ours.includes(person))
  const [host, ...rest] = ours.length > 0 ? ours : theirs.splice(0, 1)
  if (host === undefined) return undefined
  const [guest = host, other] = theirs.length > 0 ? theirs : rest.splice(0, 1)
  // The second is the host, if no other member joins.
  return { host, second: rest[0] ?? host, guest, other }
}

const needsOther = (lines: Exchange): boolean =>
  lines.some((line) => line.startsWith('O: ') || listSlots(line).includes('other'))

const capitalize = (text: string): string =>
  text.replace(/(^|[.?!] )([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())

function countWords(text: string): number {
  let words = 1
  for (let place = text.indexOf(' '); place !== -1; place = text.indexOf(' ', place + 1)) words += 1
  return words
}

/**
 * Adds speakers and times to exchanges: about two and a half words per second, and pauses in which people look, think and
 * say what is left out, so that the last line ends with the meeting.
 */
function addTimes(
  exchanges: readonly Exchange[],
  { host, second, guest, other = guest }: Cast,
  seconds: number,
  faker: SimpleFaker,
): TranscriptLineRow[] {
  const speakers: Readonly<Record<string, string>> = { H: host, S: second, G: guest, O: other }
  const lines = exchanges.flatMap((exchange) =>
    exchange.map((line, index) => {
      const text = capitalize(line.slice(3))
      return {
        speaker: speakers[line.charAt(0)] ?? host,
        text,
        durationSeconds: 1 + Math.ceil(countWords(text) * 0.4),
        // Pauses between exchanges are longer.
        pause: faker.number.float({ min: 0.4, max: index === 0 ? 2 : 1.2 }),
      }
    }),
  )
  const start = faker.number.int({ min: 4, max: 40 })
  const share = faker.number.float({ min: 0.95, max: 0.995 })
  const spoken = lines.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  const pauses = lines.slice(1).reduce((sum, { pause }) => sum + pause, 0)
  const free = Math.max(0, seconds * share - start - spoken)
  let clock = start
  return lines.map(({ speaker, text, durationSeconds, pause }, index) => {
    if (index > 0) clock += (free * pause) / pauses
    const startSeconds = Math.floor(clock)
    clock += durationSeconds
    return { speaker, text, startSeconds, endSeconds: startSeconds + durationSeconds }
  })
}
