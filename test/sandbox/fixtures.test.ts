import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { parseFixtureFile } from '../../seed/fixtures/fixture-file.ts'
import { getBuiltinFixture, fixtureNames } from '../../seed/fixtures/fixtures.ts'
import * as lookups from '../../seed/signals/signal-lookups.ts'
import { MAX_INTEGER } from '../../src/contract/fields.ts'
import { type Row, type TableName, tableNames } from '../../src/store/tables.ts'
import { rowsOf } from '../data/generated.ts'

const edgeCases = rowsOf({ fixture: 'edge-cases', size: 3 })
const withId = <T extends TableName>(table: T, id: number): Row<T> | undefined =>
  edgeCases[table].find((row) => row.id === id)

it('every built-in fixture loads, at any size', () => {
  expect(fixtureNames).toEqual(['default', 'edge-cases', 'empty'])
  for (const fixture of fixtureNames) {
    for (const size of [3, 25, 40])
      expect(rowsOf({ fixture, size }).members.length).toBeGreaterThanOrEqual(12)
  }
})

it('every built-in fixture is valid, which is not checked again at each start', () => {
  for (const name of fixtureNames) {
    const json: unknown = JSON.parse(readFileSync(`fixtures/${name}.json`, 'utf8'))
    expect(parseFixtureFile(json, name)).toMatchObject({ name })
  }
})

it('an unknown fixture is rejected, and the nearest name suggested', () => {
  expect(() => getBuiltinFixture('edge-case')).toThrow(
    'Cannot load fixture edge-case: there is no fixture of that name. Did you mean edge-cases?',
  )
})

it('the path of a fixture is rejected where no file is read, and the advice says what to do', () => {
  expect(() => getBuiltinFixture('./mine.json')).toThrow(
    /^Cannot load fixture \.\/mine\.json: it is a path, and files are not read here\. Give the content/,
  )
})

it('empty has organizations, members, definitions and products, but no customers or their records', () => {
  const rows = rowsOf({ fixture: 'empty' })
  const without = tableNames.filter((table) => rows[table].length === 0)
  const expected = 'actionLogs automations briefContents customers meetings notes signals triggerLogs'
  expect(without.toSorted((a, b) => (a < b ? -1 : 1)).join(' ')).toBe(expected)
})

it('the cast is the same in every fixture', () => {
  const cast = new Set([1, 2, 3, 4, 5, 6, 7, 501, 502])
  const [one, ...others] = fixtureNames.map((fixture) =>
    rowsOf({ fixture }).members.filter(({ id }) => cast.has(id)),
  )
  const names = one?.map(({ firstName }) => firstName).join(' ')
  expect(names).toBe('Mara Theo Priya Nadia Lucas Helen Jonas Omar Grace')
  for (const other of others) expect(other).toEqual(one)
})

it('fixtures use the lookups of the catalogue', () => {
  const known = new Set(
    [lookups.categories, lookups.types, lookups.subCategories, lookups.outcomes]
      .flatMap((list) => Object.values<object>(list))
      .concat(
        [...lookups.dismissalReasons],
        [0, 1].flatMap((ordinal) => [...lookups.getCompetitors(ordinal)]),
      )
      .map((entry) => JSON.stringify(entry)),
  )
  const used = edgeCases.signals.flatMap(
    ({ category, type, subCategory, outcome, dismissalReason, competitor }) => [
      category,
      type,
      subCategory,
      outcome,
      dismissalReason,
      competitor,
    ],
  )
  expect(used.filter((entry) => entry && !known.has(JSON.stringify(entry)))).toEqual([])
})

it('edge-cases: the largest id in every table', () => {
  expect(tableNames.filter((table) => !withId(table, MAX_INTEGER))).toEqual([])
})

it('edge-cases: long and non-Latin names, right to left, emoji, combining marks', () => {
  const names = edgeCases.customers.map(({ name }) => name)
  expect(names.some((name) => name.length > 250)).toBe(true)
  for (const script of ['Han', 'Arabic', 'Hebrew', 'Emoji_Presentation']) {
    expect(
      names.some((name) =>
        new RegExp(`\\p{${script === 'Emoji_Presentation' ? script : `Script=${script}`}}`, 'u').test(name),
      ),
    ).toBe(true)
  }
  expect(names.some((name) => name !== name.normalize('NFC'))).toBe(true)
})

it('edge-cases: quotes, commas, ampersands, plus, percent, brackets and spaces in filter values', () => {
  const values = edgeCases.customers.flatMap(({ segment, domain, country, region, city, sources }) => [
    segment,
    domain,
    country,
    region,
    city,
    ...sources.map(({ externalId }) => externalId),
  ])
  for (const mark of ['"', "'", ',', '&', '+', '%', '[', ']', '=', '#', '<']) {
    expect(values.some((value) => value.includes(mark))).toBe(true)
  }
  expect(values.some((value) => value !== value.trim())).toBe(true)
})

it('edge-cases: a record with every optional value absent', () => {
  expect(withId('customers', 4)).toMatchObject({
    city: '',
    segment: '',
    memberRoles: [],
    customFields: [],
    products: [],
    sources: [],
  })
  expect(withId('meetings', 105)).toMatchObject({
    topic: '',
    summary: null,
    url: null,
    memberIds: [],
    users: [],
    contacts: [],
    unmatchedParticipants: [],
    nextSteps: [],
  })
  expect(withId('signals', 105)).toMatchObject({
    isDraft: true,
    raisedDate: null,
    closedDate: null,
    latestNote: null,
    competitor: null,
  })
})

it('edge-cases: custom-field values of every kind', () => {
  const values = withId('customers', 14)?.customFields.map(({ value }) => value) ?? []
  const kinds = new Set(
    values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)),
  )
  expect([...kinds].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'array',
    'boolean',
    'null',
    'number',
    'object',
    'string',
  ])
})

it('edge-cases: a customer with exactly 250 meetings', () => {
  expect(edgeCases.meetings.filter(({ customerId }) => customerId === 19)).toHaveLength(250)
})

it('edge-cases: an automation with five levels', () => {
  const path = [95]
  for (
    let parent = withId('automations', 95)?.parentId;
    parent;
    parent = withId('automations', parent)?.parentId
  )
    path.push(parent)
  expect(path).toEqual([95, 94, 93, 92, 91])
})

const ties = (dates: readonly string[]) => dates.length - new Set(dates).size

it('edge-cases: ties in updatedDate and in the dates of logs and briefs', () => {
  expect(ties(edgeCases.customers.map(({ updatedDate }) => updatedDate))).toBeGreaterThan(1)
  expect(ties(edgeCases.signals.map(({ updatedDate }) => updatedDate))).toBeGreaterThan(1)
  expect(ties(edgeCases.triggerLogs.map(({ createdDate }) => createdDate))).toBeGreaterThan(1)
  expect(ties(edgeCases.briefContents.map(({ createdDate }) => createdDate))).toBeGreaterThan(0)
})

it('edge-cases: markup that must not run, severities at both ends, products of every status', () => {
  expect(withId('customers', 13)?.name).toBe('<img src=x onerror=alert(1)>')
  const severities = edgeCases.signals.map(({ severity }) => severity)
  expect([Math.min(...severities), Math.max(...severities)]).toEqual([-1, MAX_INTEGER])
  expect(
    new Set(edgeCases.customers.flatMap(({ products }) => products.map(({ status }) => status))).size,
  ).toBe(3)
})
