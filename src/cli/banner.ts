import colors from 'picocolors'

import { aligned } from '../control/journal/assumptions-table.ts'
import type { RunningSandbox } from '../node.ts'
import type { Sandbox } from '../sandbox.ts'
import type { TableName } from '../store/tables.ts'
import { version } from '../version.ts'
import { cast } from './cast.ts'
import { DEFAULT_DATA } from './settings.ts'

/** What a program reads of a server that listens. Shape: one line of JSON. */
export function jsonLine({ url, baseUrl, sandbox }: RunningSandbox): string {
  const { seed, size, fixture, now } = sandbox.dataset
  const where = { url, baseUrl, console: `${url}/_sandbox`, openapi: `${url}/openapi.json` }
  const { organizations } = sandbox.credentials
  return JSON.stringify({ ...where, pid: process.pid, seed, size, fixture, now, organizations })
}

/** What a person reads of a server that listens. Shape: lines of at most 100 columns. */
export function banner({ url, baseUrl, sandbox }: RunningSandbox, data: string | undefined): string {
  const people = cast(sandbox)
  const [caller] = people
  const curl = `curl -H 'Authorization: Bearer ${caller?.token}' ${baseUrl}/members/me`
  return [
    '',
    `  ${colors.bold(colors.green('workspace-sandbox'))} ${colors.dim(version)}`,
    '',
    ...addressLines([
      ['Base URL', baseUrl],
      ['Console', `${url}/_sandbox`],
      ['Reference', `${url}/docs`],
      ['OpenAPI', `${url}/openapi.json`],
    ]),
    '',
    ...organizationLines(sandbox),
    '',
    ...table([
      ['Act as', 'who', 'with the token'],
      ...people.map(({ name, role, isFor, token }) => [name, `${role}: ${isFor}`, token]),
    ]),
    '',
    `  ${colors.cyan(curl)}`,
    '',
    ...ending(sandbox, url, data).map((line) => `  ${colors.dim(line)}`),
    '',
  ].join('\n')
}

function addressLines(lines: readonly (readonly [name: string, address: string])[]): string[] {
  return lines.map(([name, address]) => `  ${colors.bold(name.padEnd(10))}${colors.cyan(address)}`)
}

/** What each organization has, in numbers. */
function organizationLines({ dataset, credentials }: Sandbox): string[] {
  const { rows } = dataset
  const count = (name: TableName, organizationId: string) =>
    rows[name].filter((row) => row.organizationId === organizationId).length
  return table([
    ['Organization', 'id', ...shown],
    ...credentials.organizations.map((organization) => [
      organization.name,
      organization.id,
      ...shown.map((name) => count(name, organization.id).toLocaleString('en-US')),
    ]),
  ])
}

const shown = ['customers', 'signals', 'meetings', 'notes', 'members', 'automations'] as const

function ending({ dataset }: Sandbox, url: string, data: string | undefined): string[] {
  const { seed, size, fixture, now } = dataset
  const where = data === undefined ? 'Nothing is kept' : `Data in ${data}`
  const from = `${where}: seed ${seed}, size ${size}, fixture ${fixture}, now ${now}.`
  return [from, `Ctrl-C stops it; to drop what was written: ${resetting(url, data)}`]
}

/** The command that drops what was written; the one by a folder finds no server that has none. */
function resetting(url: string, data: string | undefined): string {
  if (data === undefined) return `curl -X POST ${url}/_sandbox/reset`
  const run = process.env['npm_lifecycle_event'] === 'start' ? 'npm run reset' : 'npx workspace-sandbox reset'
  return data === DEFAULT_DATA ? run : `${run} --data ${data}`
}

/** Lines of columns, the first line as their heads. */
function table(lines: readonly (readonly string[])[]): string[] {
  return aligned(lines).map((line, index) => (index === 0 ? colors.dim(`  ${line}`) : `  ${line}`))
}
