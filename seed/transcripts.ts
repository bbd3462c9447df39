import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import type { TranscriptLineRow } from '../src/store/tables/meetings.ts'
import type { Reader } from '../src/store/texts.ts'
import { detectKind, type MeetingKindId, extractSubject } from './meeting-kinds.ts'
import { RecordKey } from './record-key.ts'
import {
  asides,
  type Exchange,
  familiarAsides,
  farewells,
  openings,
  recaps,
  stepsLeads,
} from './transcript-frames.ts'
import { runningTalks } from './transcript-running.ts'
import { startTalks } from './transcript-starts.ts'

type Meeting = Row<'meetings'>

/** The maximum number of lines in a transcript. */
const LONGEST = 40

/**
 * Generates the transcript of a meeting: its members, users and contacts talk about its topic, and at the end the host
 * repeats the meeting's summary and next steps.
 * Shape: empty if no participant is known. Order: as spoken.
 */
export function generateTranscript(meeting: Meeting, data: Reader, seed: number): TranscriptLineRow[] {
  const cast = findCast(meeting, data)
  if (!cast) return []
  const key = new RecordKey(seed, 'transcripts', meeting.id)
  const [kind, faker] = [detectKind(meeting.topic), key.faker('talk')]
  const talks = startTalks[kind] ?? runningTalks[kind] ?? []
  const isAlone = cast.host === cast.guest
  const exchanges: readonly Exchange[] = isAlone
    ? []
    : [
        faker.helpers.arrayElement(openings.filter((lines) => isPossible(lines, cast))),
        ...arranged(
          talks.filter((lines) => isPossible(lines, cast)),
          [...asides, ...(strangers.has(kind) ? [] : familiarAsides)].filter((lines) =>
            isPossible(lines, cast),
          ),
          faker,
        ),
      ]
  const recap = isAlone ? ['H: A note for the minutes.'] : faker.helpers.arrayElement(recaps)
  const ending = [
    ...(meeting.summary ? [...recap, `H: ${meeting.summary}`] : []),
    ...(meeting.nextSteps.length > 0
      ? [faker.helpers.arrayElement(stepsLeads), ...meeting.nextSteps.map((step) => handedOut(step, cast))]
      : []),
    ...(isAlone ? [] : faker.helpers.arrayElement(farewells.filter((lines) => isPossible(lines, cast)))),
  ]
  const lines = [...upTo(LONGEST - ending.length, exchanges), ...ending]
  const subject = extractSubject(meeting.topic)
  return timed(
    lines.map((line) => spoken(line, cast, subject)),
    key.faker('time'),
  )
}

/** Kinds of meetings between people who hardly know each other, or are about to part. */
const strangers: ReadonlySet<MeetingKindId> = new Set(['introduction', 'kickoff', 'offboarding'])

/** Phrases a next step as the host says it to the person named before its colon. */
function handedOut(step: string, { host }: Cast): string {
  const [, name, task] = /^([^:]{3,60}): (.+?)\.?$/.exec(step) ?? []
  if (!name || !task) return `H: And: ${step}${/[.!?]$/.test(step) ? '' : '.'}`
  return name === host
    ? `H: This one is mine: ${task}.`
    : `H: ${firstName(name)}, this one is yours: ${task}.`
}

const firstName = (name: string): string => name.split(' ')[0] ?? name

/** Arranges most exchanges of the kind of meeting, and one or two general ones. */
function arranged(talks: readonly Exchange[], others: readonly Exchange[], faker: SimpleFaker): Exchange[] {
  const chosen = faker.helpers.arrayElements(talks, faker.number.int({ min: 3, max: 5 }))
  const between = faker.helpers.shuffle(others).slice(0, faker.number.int({ min: 1, max: 3 }))
  const [last, ...rest] = between
  return [...chosen.slice(0, 2), ...rest, ...chosen.slice(2), ...(last ? [last] : [])]
}

/** Takes as many whole exchanges as fit into a number of lines. */
function upTo(limit: number, exchanges: readonly Exchange[]): string[] {
  const lines: string[] = []
  for (const exchange of exchanges) {
    if (lines.length + exchange.length <= limit) lines.push(...exchange)
  }
  return lines
}

/** The speakers of a meeting. */
interface Cast {
  readonly host: string
  /** Undefined if nobody joins the host. */
  readonly second: string | undefined
  readonly guest: string
  readonly other: string | undefined
}

const fullName = (person: { readonly firstName: string; readonly lastName: string }): string =>
  `${person.firstName} ${person.lastName}`.trim()

function findCast(meeting: Meeting, data: Reader): Cast | undefined {
  const members = meeting.memberIds.flatMap((id) => data.get('members', id) ?? [])
  const ours = [...new Set([...members, ...meeting.users].map(fullName))]
  const theirs = [...new Set(meeting.contacts.map(fullName))].filter((person) => !ours.includes(person))
  const [host, ...rest] = ours.length > 0 ? ours : theirs.splice(0, 1)
  if (host === undefined) return undefined
  const [guest = host, other] = theirs.length > 0 ? theirs : rest.splice(0, 1)
  return { host, second: rest[0], guest, other }
}

/** Checks that everybody who speaks or is mentioned in an exchange is present. */
function isPossible(lines: Exchange, { second, other }: Cast): boolean {
  const mentions = (letter: string, name: string) =>
    lines.some((line) => line.startsWith(`${letter}: `) || line.includes(`{${name}}`))
  return (
    (second !== undefined || !mentions('S', 'second')) && (other !== undefined || !mentions('O', 'other'))
  )
}

interface Said {
  readonly speaker: string
  readonly text: string
}

function spoken(line: string, { host, second = host, guest, other = guest }: Cast, subject: string): Said {
  const speakers: Readonly<Record<string, string>> = { H: host, S: second, G: guest, O: other }
  const words: Readonly<Record<string, string>> = {
    host: firstName(host),
    second: firstName(second),
    guest: firstName(guest),
    other: firstName(other),
    subject,
  }
  const text = line.slice(3).replace(/\{(\w+)\}/g, (place, word: string) => words[word] ?? place)
  return { speaker: speakers[line.charAt(0)] ?? host, text }
}

/** Adds times to lines: a short pause between two, and about two and a half words per second. */
function timed(lines: readonly Said[], faker: SimpleFaker): TranscriptLineRow[] {
  let clock = faker.number.int({ min: 2, max: 14 })
  return lines.map(({ speaker, text }) => {
    const startSeconds = clock
    const endSeconds = startSeconds + 1 + Math.ceil(text.split(' ').length * 0.4)
    clock = endSeconds + faker.number.int({ min: 0, max: 3 })
    return { speaker, text, startSeconds, endSeconds }
  })
}
