import { expect, it } from 'vitest'

import { childTables } from '../../seed/dataset/generated-ids.ts'
import { getBuiltinFixture } from '../../seed/fixtures/fixtures.ts'
import { fixtureNames, MAX_INTEGER } from '../../src/contract/fields.ts'
import { type Row, type TableName, tableNames } from '../../src/store/tables.ts'
import { rowsOf } from '../data/generated.ts'

const edgeCases = rowsOf({ fixture: 'edge-cases', size: 3 })
const withId = <T extends TableName>(table: T, id: number): Row<T> | undefined =>
  edgeCases[table].find((row) => row.id === id)

it.each([
  ['edge-case', 'edge-case: there is no fixture of that name. Did you mean edge-cases?'],
  ['./mine.json', './mine.json: it is a path, and files are not read here. Give the content'],
])('rejects the fixture %s, and says what to do', (name, message) => {
  expect(() => getBuiltinFixture(name)).toThrow(`Cannot load fixture ${message}`)
})

it('empty has organizations, members, definitions and products, but no customers or their records', () => {
  const rows = rowsOf({ fixture: 'empty' })
  const without = tableNames.filter((table) => rows[table].length === 0)
  expect(new Set(without)).toEqual(new Set(['customers', 'automations', ...childTables]))
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

it('edge-cases: the largest id in every table', () => {
  expect(tableNames.filter((table) => !withId(table, MAX_INTEGER))).toEqual([])
})

it('edge-cases: long and non-Latin names, right to left, emoji, combining marks', () => {
  const names = edgeCases.customers.map(({ name }) => name)
  expect(names.some((name) => name.length > 250)).toBe(true)
  for (const script of ['Script=Han', 'Script=Arabic', 'Script=Hebrew', 'Emoji_Presentation']) {
    expect(names).toContainEqual(expect.stringMatching(new RegExp(`\\p{${script}}`, 'u')))
  }
  expect(names.some((name) => name !== name.normalize('NFC'))).toBe(true)
})

it('edge-cases: quotes, commas, ampersands, plus, percent, brackets and spaces in filter values', () => {
  const values = edgeCases.customers.flatMap(({ segment, domain, country, region, city, sources }) => {
    const ids = sources.map(({ externalId }) => externalId)
    return [segment, domain, country, region, city, ...ids]
  })
  for (const mark of ['"', "'", ',', '&', '+', '%', '[', ']', '=', '#', '<']) {
    expect(values).toContainEqual(expect.stringContaining(mark))
  }
  expect(values.some((value) => value !== value.trim())).toBe(true)
})

it('edge-cases: a record with every optional value absent', () => {
  const noLists = { memberRoles: [], customFields: [], products: [], sources: [] }
  expect(withId('customers', 4)).toMatchObject({ city: '', segment: '', ...noLists })
  const nobody = { memberIds: [], users: [], contacts: [], unmatchedParticipants: [] }
  const meeting = { topic: '', summary: null, url: null, ...nobody, nextSteps: [] }
  expect(withId('meetings', 105)).toMatchObject(meeting)
  const dates = { raisedDate: null, closedDate: null }
  const signal = { isDraft: true, ...dates, latestNote: null, competitor: null }
  expect(withId('signals', 105)).toMatchObject(signal)
})

it('edge-cases: custom-field values of every kind', () => {
  const values = withId('customers', 14)?.customFields.map(({ value }) => value) ?? []
  const kinds = values.map((value) => Object.prototype.toString.call(value).slice(8, -1).toLowerCase())
  expect(new Set(kinds)).toEqual(new Set(['array', 'boolean', 'null', 'number', 'object', 'string']))
})

it('edge-cases: a customer with exactly 250 meetings, an automation with five levels', () => {
  expect(edgeCases.meetings.filter(({ customerId }) => customerId === 19)).toHaveLength(250)
  const parents = [95, 94, 93, 92, 91].map((id) => withId('automations', id)?.parentId)
  expect(parents).toEqual([94, 93, 92, 91, null])
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
  const statuses = edgeCases.customers.flatMap(({ products }) => products.map(({ status }) => status))
  expect(new Set(statuses).size).toBe(3)
})
