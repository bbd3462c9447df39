import type { Command } from 'commander'
import colors from 'picocolors'

import { stopwatch } from '../../core/system-clock.ts'
import { version } from '../../core/version.ts'
import { formatInteger, indentColumns } from '../../core/words.ts'
import type { OpenSandbox, Sandbox } from '../../sandbox/sandbox.ts'
import { DEFAULT_PORT, type StartOptions } from '../server/options.ts'
import { startServer, type RunningServer } from '../server/start.ts'
import { print, quote, warn } from './output.ts'
import { DEFAULT_DATA, readVariable, toVariable } from './settings.ts'
import { resolveSettings } from './sources.ts'

export async function start(command: Command): Promise<void> {
  const { options, data } = await resolveSettings(command)
  const { json, log, quiet, ...rest } = options
  const stopped = waitForStop()
  const running = await startServer({ ...rest, data }, { ownsProcess: true, log: log ? warn : undefined })
  const { port } = new URL(running.url)
  if (options.port === undefined && Number(port) !== DEFAULT_PORT) {
    warn(`Port ${DEFAULT_PORT} is in use, so the server listens on ${port}.`)
  }
  for (const warning of running.warnings) warn(warning)
  if (!quiet) print(json ? formatJson(running) : formatBanner(running, data, rest))
  await stopped
  await running.close()
}

/** A second Ctrl-C within this time is npm's echo of the first. */
const ECHO_MS = 1_000

/** The time after which the process exits even if something hangs; acknowledged writes are on disk by then. */
const DEADLINE_MS = 4_500

const INTERRUPTED = 130

/** Waits for a signal to stop. The process then has 5 seconds to exit, and another Ctrl-C exits at once. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      if (firstMs === undefined) {
        firstMs = stopwatch()
        setTimeout(() => process.exit(), DEADLINE_MS).unref()
        resolve()
      } else if (signal === 'SIGINT' && stopwatch() - firstMs > ECHO_MS) {
        process.exit(INTERRUPTED)
      }
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  })
}

function formatJson({ url, baseUrl, sandbox }: RunningServer): string {
  const { seed, size, fixture, now } = sandbox.dataset
  const { origin } = new URL(baseUrl)
  const where = { url, baseUrl, console: `${origin}/_sandbox`, openapi: `${origin}/openapi.json` }
  const { organizations } = sandbox.credentials
  return JSON.stringify({ ...where, pid: process.pid, seed, size, fixture, now, organizations })
}

function formatBanner(
  { url, baseUrl, sandbox }: RunningServer,
  data: string | undefined,
  options: StartOptions,
): string {
  const people = pickMembers(sandbox)
  const [caller] = people
  const { origin } = new URL(baseUrl)
  const admin =
    options.adminToken === undefined ? '' : ` -H "Authorization: Bearer $${toVariable('adminToken')}"`
  // A session has to be opened first if each request must name one.
  const curl = options.requireSession
    ? `curl -X PUT${admin} ${origin}/_sandbox/sessions/one`
    : `curl -H 'Authorization: Bearer ${caller?.token}' ${baseUrl}/members/me`
  return [
    '',
    `  ${colors.bold(colors.green('workspace-sandbox'))} ${colors.dim(version)}`,
    '',
    formatAddress('Base URL', baseUrl),
    formatAddress('Console', `${origin}/_sandbox`),
    formatAddress('Docs', `${origin}/docs`),
    formatAddress('OpenAPI', `${origin}/openapi.json`),
    ...(origin === url ? [] : [formatAddress('Address', url)]),
    '',
    ...countRecords(sandbox),
    '',
    ...(caller
      ? [
          ...formatTable([
            ['Member', 'role', 'token'],
            ...people.map(({ name, role, note, token }) => [name, `${role}, ${note}`, token]),
          ]),
          '',
          `  ${colors.cyan(curl)}`,
        ]
      : ['  There are no members, so no token works. Add some to the fixture.']),
    '',
    ...summarize(sandbox, url, data, options).map((line) => `  ${colors.dim(line)}`),
    '',
  ].join('\n')
}

const formatAddress = (name: string, address: string): string =>
  `  ${colors.bold(name.padEnd(10))}${colors.cyan(address)}`

/** Counts the records of each organization, in the tables whose rows are there: nobody waits for the others. */
function countRecords({ state, credentials }: OpenSandbox): string[] {
  const { tables, formatted } = state.dataset
  const counted = countedTables.filter((name) => tables[name].isWhole)
  const counts = counted.map((name) => {
    if (!formatted) return (id: string) => tables[name].rows.filter((row) => row.organizationId === id).length
    // To parse the rows of a ready-made or stored dataset would take 24 ms of a start, and to decode them 15: ids are ASCII.
    const text = Buffer.from(formatted[name].text).toString('latin1')
    return (id: string) => text.split(`"organizationId":"${id}"`).length - 1
  })
  const lines = credentials.organizations.map(({ id, name }) => [
    name,
    id,
    ...counts.map((count) => formatInteger(count(id))),
  ])
  return formatTable([['Organization', 'id', ...counted], ...lines])
}

const countedTables = ['customers', 'signals', 'meetings', 'notes', 'members', 'automations'] as const

function summarize(
  { dataset, clock }: Sandbox,
  url: string,
  data: string | undefined,
  { now: begun, adminToken }: StartOptions,
): string[] {
  const { seed, size, fixture, now } = dataset
  const isProtected = adminToken !== undefined
  const lines = [`Data in ${data ?? 'memory'}: seed ${seed}, size ${size}, fixture ${fixture}, now ${now}.`]
  if (clock.now() !== now) lines.push(`The clock is at ${clock.now()}.`)
  if (begun === 'system' && dataset.future === 'still')
    lines.push('The clock runs, and the data stands still. Let it change too with --future living')
  lines.push(`Stop with Ctrl-C. Drop all changes with ${findResetCommand(url, data, isProtected)}`)
  // The token itself is a secret, which a log would keep.
  if (isProtected && readVariable('adminToken') === undefined)
    lines.push(`That requires the admin token in ${toVariable('adminToken')}.`)
  return lines
}

function findResetCommand(url: string, data: string | undefined, isProtected: boolean): string {
  if (data === undefined && !isProtected) return `curl -X POST ${url}/_sandbox/reset`
  const options = data === undefined ? ` --url ${url}` : data === DEFAULT_DATA ? '' : ` --data ${quote(data)}`
  if (process.env['npm_lifecycle_event'] !== 'start') return `npx workspace-sandbox reset${options}`
  return `npm run reset${options && ` --${options}`}`
}

function formatTable(lines: readonly (readonly string[])[]): string[] {
  return indentColumns(lines).map((line, index) => (index === 0 ? colors.dim(line) : line))
}

function pickMembers({ credentials, state }: OpenSandbox) {
  const { rows } = state.dataset
  const [first, other] = credentials.organizations
  const caller = first?.members[0]
  if (!first || !caller) return []
  const managerId = rows.members.find(({ id }) => id === caller.id)?.managerId
  const withCustomers = new Set(
    rows.customers.flatMap(({ memberRoles }) => memberRoles.flatMap(({ memberIds }) => memberIds)),
  )
  const others = first.members.filter(({ id }) => id !== caller.id)
  const manager = others.find(({ id }) => id === managerId)
  const withoutCustomers = others.find(({ id }) => id !== managerId && !withCustomers.has(id))
  const outsider = other?.members[0]
  return [
    { ...caller, note: 'the default caller' },
    ...(manager ? [{ ...manager, note: 'their manager' }] : []),
    ...(withoutCustomers ? [{ ...withoutCustomers, note: 'has no customers' }] : []),
    ...(outsider ? [{ ...outsider, note: `from ${other?.name}` }] : []),
  ]
}
