import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { expect, it } from 'vitest'

import automations from '../../seed/texts/automations.json' with { type: 'json' }
import logs from '../../seed/texts/logs.json' with { type: 'json' }
import meetings from '../../seed/texts/meetings.json' with { type: 'json' }
import places from '../../seed/texts/places.json' with { type: 'json' }
import signals from '../../seed/texts/signals.json' with { type: 'json' }
import slots from '../../seed/texts/slots.json' with { type: 'json' }
import { listSlots, splitWords } from '../../seed/texts/templates.ts'
import transcripts from '../../seed/texts/transcripts.json' with { type: 'json' }

const folder = resolve('seed/texts')
const topics = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []))

/** Lists the texts of a part of a file, and the names of its fields, which may be templates. */
function listTexts(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [String(part)]
  return Object.entries(part).flatMap(([name, value]) => [name, ...listTexts(value)])
}

it.each(topics)('the templates of %s have known slots, and no braces besides', (topic) => {
  const known = Object.keys(new Map<string, object>(Object.entries(slots)).get(topic) ?? {})
  const texts = listTexts(JSON.parse(readFileSync(resolve(folder, `${topic}.json`), 'utf8')))
  expect(texts.filter((text) => listSlots(text).some((slot) => !known.includes(slot)))).toEqual([])
  expect(texts.filter((text) => /[{}]/.test(text.replaceAll(/\{\{\w+\}\}/g, '')))).toEqual([])
})

const kinds = Object.values<{
  readonly accounts: Readonly<Record<string, readonly string[]>>
  readonly steps: Readonly<Record<string, readonly (readonly string[])[]>>
}>(meetings.kinds)
const scripts = kinds.flatMap(({ accounts, steps }) => [
  ...Object.entries(accounts),
  ...Object.entries(steps).flatMap(([task, talks]) => talks.map((talk) => [task, talk] as const)),
])

it('each line of a conversation begins with its speaker', () => {
  const { labels: _, links: __, changes: ___, flow: ____, colleagues: _____, ...talks } = transcripts
  const lines = [...Object.values(talks).flatMap(listValues), ...scripts.flatMap(([, talk]) => talk)]
  expect(lines.filter((line) => line !== '' && !/^[HSGO]: /.test(line))).toEqual([])
})

function listValues(part: unknown): string[] {
  return typeof part === 'string' ? [part] : Object.values(Object(part)).flatMap(listValues)
}

it('a conversation says nothing, and has nobody speak, that its text does not name', () => {
  const uncovered = scripts.filter(([text, talk]) => {
    const named = new Set([...listSlots(text), 'host', 'guest', 'other'])
    const needsOther = talk.some((line) => line.startsWith('O: ') || line.includes('{{other}}'))
    const isCovered = talk.every((line) => listSlots(line).every((slot) => named.has(slot)))
    return !isCovered || (needsOther && !text.includes('{{other}}'))
  })
  expect(uncovered).toEqual([])
})

it('each kind of log has a message without a customer', () => {
  const always = new Set(['automation', 'ms', 'quarter', 'due'])
  const lists = [logs.triggers, logs.actions, { other: logs.other }].flatMap((all) =>
    Object.values<Readonly<Record<string, readonly string[]>>>(all).flatMap((kind) => Object.values(kind)),
  )
  const lacking = lists.filter(
    (list) => !list.some((text) => listSlots(text).every((slot) => always.has(slot))),
  )
  expect(lacking).toEqual([])
})

it('texts name only what there is', () => {
  expect(automations.flatMap(({ triggers }) => triggers).filter((one) => !(one in logs.triggers))).toEqual([])
  expect(automations.flatMap(({ actions }) => actions).filter((one) => !(one in logs.actions))).toEqual([])
  const zones = places.countries.flatMap((country) => country.places.map(({ timezone }) => timezone))
  expect(zones.filter((zone) => !(zone in places.timezones))).toEqual([])
  const { categories, types, subCategories, outcomes } = signals.lookups
  const unknown = signals.stories.filter(({ kind, endings }) => {
    const { category, type, subCategory } = kind
    const isKnown = category in categories && type in types && subCategory in subCategories
    return !isKnown || !endings.every((ending) => (ending.split(': ')[0] ?? '') in outcomes)
  })
  expect(unknown).toEqual([])
  const stages = new Set(['prospect', 'onboarding', 'growing', 'steady', 'atRisk', 'churned'])
  const staged = [...Object.values(meetings.plans), ...signals.stories.map(({ when }) => when)]
  expect(staged.flatMap((one): string[] => one.stages).filter((stage) => !stages.has(stage))).toEqual([])
  const { byKind, related, rounds } = transcripts.flow
  const matters = [...byKind.map((one) => splitWords(one.matters)), ...related, Object.keys(rounds)].flat()
  expect(matters.filter((one) => !(one in transcripts.matters && one in transcripts.labels))).toEqual([])
  const talked = byKind.flatMap((one) => splitWords(one.kinds))
  expect(talked.toSorted()).toEqual(Object.keys(meetings.kinds).toSorted())
  const misplaced = new Set(signals.additions.misplaced.flatMap(listSlots))
  expect([...misplaced].filter((slot) => slot !== 'owner' && slot !== 'day')).toEqual([])
})
