import { expect, it } from 'vitest'

import type { Sandbox } from '../../src/index.ts'
import { generated, rowsOf } from '../data/generated.ts'
import { control, openSandbox } from '../support.ts'

/** Converts to JSON and back, as a transfer over HTTP or a file does. */
const json = (value: unknown) => JSON.parse(JSON.stringify(value))

/** The facts of a sandbox that do not depend on the name of its fixture. */
async function facts(sandbox: Sandbox): Promise<object> {
  const { seed, size, now, counts } = sandbox.dataset
  return { seed, size, now, counts, fingerprint: await sandbox.dataset.fingerprint() }
}

it('has every transcript, brief and log message', async () => {
  const { meetings, briefContents, triggerLogs, actionLogs } = (await openSandbox()).dataset.export()
  const transcribed = meetings.filter(({ hasTranscript }) => hasTranscript)
  expect(transcribed.length).toBeGreaterThan(20)
  expect(transcribed.filter(({ transcript }) => !transcript || transcript.length === 0)).toEqual([])
  expect(meetings.filter(({ hasTranscript, transcript }) => !hasTranscript && transcript)).toEqual([])
  expect(briefContents.filter(({ content }) => !content)).toEqual([])
  expect([...triggerLogs, ...actionLogs].filter(({ message }) => !message)).toEqual([])
})

it.each([
  ['a dataset', { seed: 7, size: 3, fixture: 'edge-cases', now: '2027-03-01T08:00:00.000Z' }],
  [
    'one with a fixture of somebody’s own',
    { size: 4, fixture: { customers: [{ id: 900, name: 'Tern & Co' }] } },
  ],
])('is a fixture that gives %s again, wherever it is loaded', async (_, options) => {
  const original = await openSandbox(options)
  const exported = json(original.dataset.export())
  const opened = await openSandbox({ fixture: exported, size: undefined })
  const other = await openSandbox({ seed: 3, size: 3, fixture: 'empty' })
  expect((await control(other, 'POST', '/reseed', { fixture: exported })).status).toBe(200)
  for (const sandbox of [opened, other]) {
    expect(await facts(sandbox)).toEqual(await facts(original))
    expect(sandbox.credentials).toEqual(original.credentials)
    expect(sandbox.dataset.export()).toEqual(exported)
  }
})

it('gives a dataset that behaves like the original: new records, and texts that quote changed ones', async () => {
  const original = await openSandbox({ seed: 7, size: 5 })
  const opened = await openSandbox({ fixture: json(original.dataset.export()), size: undefined })
  const meeting = original.dataset.rows.meetings.find(
    ({ hasTranscript, memberIds }) => hasTranscript && memberIds.length > 0,
  )
  const said: unknown[] = []
  for (const sandbox of [original, opened]) {
    await sandbox.data.members.patch(meeting?.memberIds[0] ?? 0, { firstName: 'Wilhelmine' })
    said.push(await sandbox.data.meetings.get(meeting?.id ?? 0))
    said.push(await sandbox.data.signals.create([{ customerId: 2 }]))
  }
  expect(said.slice(2)).toEqual(said.slice(0, 2))
  expect(JSON.stringify(said[0])).toContain('Wilhelmine')
})

const ada = { firstName: 'Ada', lastName: 'Berg', email: 'ada@acme.example', title: 'Owner' }

/** The smallest complete dataset: one organization with one member. */
const least = {
  complete: true,
  organizations: [{ id: 'acme', name: 'Acme' }],
  members: [{ id: 1, organizationId: 'acme', ...ada, managerId: 1 }],
}

it('a complete fixture turns generation off', () => {
  const { organizations, rows } = generated({ fixture: least, size: 1000 })
  expect(organizations).toEqual(least.organizations)
  expect(Object.values(rows).flat()).toEqual(least.members)
})

it.each([
  [{ ...least, extends: 'default' }, 'extends must be null: a complete fixture extends no other'],
  [
    { ...least, generated: true },
    'generated must be false, since nothing is generated for a complete fixture',
  ],
  [{ ...least, members: [{ ...least.members[0], title: undefined }] }, 'members[0].title is required'],
  [
    { ...least, members: [{ ...least.members[0], managerId: 2 }] },
    'members[0].managerId 2 matches no member',
  ],
  [
    { ...least, members: [{ ...least.members[0], organizationId: 'other' }] },
    'members[0].organizationId other matches no organization',
  ],
  [{ ...least, madeWith: { seed: -1 } }, 'madeWith.seed must be'],
  [{ complete: true, members: least.members }, 'organizations is empty'],
])('a complete fixture is refused where something is missing or wrong: %j', (fixture, message) => {
  expect(() => rowsOf({ fixture: json(fixture) })).toThrow(`Cannot load fixture two-teams: ${message}`)
})
