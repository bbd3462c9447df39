import { pipeline } from 'node:stream/promises'

import type { Command } from 'commander'

import { SandboxError } from '../../core/errors.ts'
import { joinPieces } from '../../core/json-steps.ts'
import { parseJson } from '../../core/json.ts'
import { systemTime } from '../../core/system-clock.ts'
import { loadMoments } from '../../lab/living/moments.ts'
import {
  type ControlClient,
  createControlClient,
  describeFailure,
  read,
} from '../../sandbox/remote/control-client.ts'
import { type OpenSandbox, openSandbox } from '../../sandbox/sandbox.ts'
import {
  type DatasetOptions,
  datasetOptions,
  parseDatasetOptions,
  resolveDatasetKey,
} from '../../sessions/dataset-options.ts'
import { generateDataset, storeDataset } from '../../sessions/generate-dataset.ts'
import { openMoments } from '../../sessions/sandbox-state.ts'
import { Health } from '../../sessions/summary.ts'
import { type DatasetKey } from '../../store/dataset-key.ts'
import { hasData, openFolder, readFolder } from '../../store/disk/folder.ts'
import { describeHolder, findHolder, isElsewhere } from '../../store/disk/lock.ts'
import { DamagedFile, errorCode } from '../../store/disk/storage-errors.ts'
import { Storage } from '../../store/disk/storage.ts'
import { withFixture } from '../server/option-files.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { CommandError, usageError } from './failure.ts'
import { print } from './output.ts'
import { bypassProxy, type Flags } from './settings.ts'
import { type ResolvedSettings, resolveSettings } from './sources.ts'

export async function reset(command: Command): Promise<void> {
  const { options, name, server } = await findTarget('reset', command)
  if (server) {
    await callServer(server, 'reset', options, (control) => control.reset.$post({ json: {} }))
  } else {
    const documents = await openFolder(name)
    try {
      const stored = await documents.load()
      const at = stored?.dataset.key.now ?? ''
      await documents.append([{ at, by: 'control', reset: true, changes: [] }])
    } finally {
      documents.close()
    }
  }
  if (options.json) return print(JSON.stringify({ target: name }))
  print(`Reset ${name}: all changes were dropped.`)
}

export async function reseed(command: Command): Promise<void> {
  const { options, name, server } = await findTarget('reseed', command)
  const damage: DamagedFile[] = []
  const make = (dataset: DatasetOptions): Promise<Pick<DatasetKey, 'seed' | 'size' | 'fixture' | 'now'>> =>
    server
      ? callServer(server, 'reseed', options, (control) => control.reseed.$post({ json: dataset }))
      : reseedFolder(name, dataset, damage)
  const { seed, size, fixture, now } = await withFixture(options, make)
  const replaced = damage.map(({ file, fact }) => ({ file, fact }))
  if (options.json) return print(JSON.stringify({ target: name, seed, size, fixture, now, replaced }))
  const files = replaced.map(({ file, fact }) => `${file} (${fact})`).join(', ')
  const note = files && ` Damaged files were replaced: ${files}.`
  print(`Reseeded ${name}: seed ${seed}, size ${size}, fixture ${fixture}, now ${now}.${note}`)
}

async function reseedFolder(
  folder: string,
  dataset: DatasetOptions,
  damage: DamagedFile[],
): Promise<DatasetKey> {
  const documents = await openFolder(folder)
  const storage = new Storage(documents)
  try {
    await storage.load().catch((error: unknown) => {
      if (!(error instanceof DamagedFile)) throw error
      damage.push(error)
    })
    const key = resolveDatasetKey(await parseDatasetOptions(dataset), documents.dataset?.key, systemTime())
    const generated = await generateDataset(key)
    // Rejects a timeline whose steps refer to nothing, as the server would.
    await openMoments(generated, { loadMoments })
    await storeDataset(generated, storage)
    return key
  } finally {
    await storage.close()
  }
}

export async function exportDataset(command: Command): Promise<void> {
  const { sandbox } = await readSandbox(
    command,
    'Omit these options to export the stored data, or add --memory to export what they describe.',
  )
  await pipeline(joinPieces(sandbox.exportText()), process.stdout, { end: false }).catch((error: unknown) => {
    // A reader may leave, as `head` does.
    if (errorCode(error) !== 'EPIPE') throw error
  })
}

export async function printOpenApi(command: Command): Promise<void> {
  const { sandbox, options } = await readSandbox(command)
  const { publicUrl, port } = options
  const url = new URL('/openapi.json', publicUrl ?? `http://127.0.0.1:${port ?? DEFAULT_PORT}`)
  const document = await sandbox.fetch(new Request(url))
  print(JSON.stringify(await document.json(), null, 2))
}

async function readSandbox(
  command: Command,
  otherDataset?: string,
): Promise<Pick<ResolvedSettings, 'options'> & { readonly sandbox: OpenSandbox }> {
  const { options, data } = await resolveSettings(command)
  const { assumptions, present } = options
  const sandbox = await withFixture(options, async (dataset) => {
    const storage = data === undefined ? undefined : await readFolder(data)
    return openSandbox(dataset, { ...(storage && { storage }), assumptions, present, otherDataset })
  })
  return { options, sandbox }
}

interface Server {
  readonly url: string
  readonly pid?: number
}

interface Target {
  readonly options: ResolvedSettings['options']
  /** The URL of the server, or the folder if there is none. */
  readonly name: string
  readonly server?: Server
}

type Verb = 'reset' | 'reseed'

/**
 * Finds the target: the server at `--url`; else the server that uses the data folder, or the folder itself.
 * @throws CommandError if there is none
 */
async function findTarget(verb: Verb, command: Command): Promise<Target> {
  const { options, data } = await resolveSettings(command)
  const { url }: Flags = command.opts()
  // The global fetch of Node reads it at each call.
  Object.assign(process.env, bypassProxy('localhost'))
  if (typeof url === 'string') {
    if (command.getOptionValueSource('data') === 'cli') {
      throw usageError('Cannot use both --url and --data: each names a target. Remove one of them.')
    }
    const origin = parseOrigin(url)
    const failure = await findFailure(origin)
    if (failure === undefined) return { options, name: origin, server: { url: origin } }
    const fact = `no sandbox answers there (${failure})`
    throw new CommandError(`Cannot ${verb} ${origin}: ${fact}. Check the URL given with --url.`)
  }
  const holder = data === undefined ? undefined : await findHolder(data)
  if (data !== undefined && holder) {
    const isRemote = isElsewhere(holder)
    if (!isRemote && holder.url !== null) {
      return { options, name: holder.url, server: { url: holder.url, pid: holder.pid } }
    }
    // The URL of a server on another machine may belong to another program here.
    const remedy = isRemote
      ? 'Run this command on that machine, or pass a URL that reaches the server with --url.'
      : 'Stop it, or pass its URL with --url.'
    throw new CommandError(`Cannot ${verb} ${data}: ${describeHolder(holder)}. ${remedy}`)
  }
  const describesDataset = Object.keys(datasetOptions).some((one) => Reflect.get(options, one) !== undefined)
  const makesData = verb === 'reseed' && describesDataset
  if (data !== undefined && (hasData(data) || makesData)) return { options, name: data }
  const fact = data === undefined ? 'the settings store nothing' : `there is no data in ${data}`
  const make = verb === 'reseed' && data !== undefined ? ', or name a dataset to make, as with --seed 7' : ''
  const remedy = `Select a running server with --url, or a folder with --data${make}.`
  throw new CommandError(`Nothing to ${verb}: ${fact}. ${remedy}`)
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && /^\/(?:v1\/?)?$/.test(url.pathname)) return url.origin
  const example = `http://127.0.0.1:${DEFAULT_PORT}`
  throw usageError(`Cannot use --url ${text}: it must be the URL of a server, such as ${example}.`)
}

const HEALTH_TIMEOUT_MS = 5_000

/** The fact about a server that is suspended. */
const SILENT = `it has not answered for ${HEALTH_TIMEOUT_MS / 1_000} seconds`

/** Finds why no sandbox answers; undefined if one does. */
async function findFailure(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    return Health.safeParse(parseJson(await response.text())).success ? undefined : 'another program does'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? SILENT : describeFailure(error)
  }
}

async function callServer<T>(
  { pid, url }: Server,
  verb: Verb,
  { adminToken }: Target['options'],
  call: (control: ControlClient) => Promise<{ json(): Promise<T> }>,
): Promise<T> {
  const server = `the server ${pid === undefined ? '' : `with pid ${pid} `}at ${url}`
  if (pid !== undefined && (await findFailure(url)) === SILENT) {
    const remedy = `Continue it if it is suspended (kill -CONT ${pid}), or stop it and run this command again.`
    throw new CommandError(`Cannot ${verb} ${server}: ${SILENT}. ${remedy}`)
  }
  try {
    return await read(call(createControlClient({ url, adminToken })))
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const remedy = error.code === 'unauthorized' ? ' Pass its token with --admin-token.' : ''
    throw new CommandError(`Cannot ${verb} ${server}: ${error.message}${remedy}`)
  }
}
