import * as z from 'zod'

import type { DatasetOptions } from '../options.ts'
import { type OpenSandbox, openSandbox, type Sandbox } from '../sandbox.ts'
import { datasetOf, namingFixture } from '../server/fixture-file.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { openFolder, readFolder } from '../store/files.ts'
import type { DamagedFile } from '../store/unreadable.ts'
import { print, printPieces } from './output.ts'
import { type Resolved, resolved } from './resolve.ts'
import { callServer } from './running-server.ts'
import { findTarget } from './target.ts'

type Flags = Readonly<Record<string, unknown>>

/** Drops the changes: in the server that has the data, else in its files. */
export async function reset(flags: Flags): Promise<void> {
  const { options, on, name } = await findTarget('reset', flags)
  if ('server' in on) {
    await callServer(on.server, 'reset', options.adminToken)
  } else {
    const { storage } = await openFolder(on.folder)
    try {
      await storage.clear()
    } finally {
      await storage.close()
    }
  }
  print(`Reset ${name}: what was written to it is gone.`)
}

/** Makes a new dataset: in the server that has the data, else in its files. What is not given stays as it was. */
export async function reseed(flags: Flags): Promise<void> {
  const { options, on, name } = await findTarget('reseed', flags)
  const dataset = await datasetOf(options)
  if ('server' in on) {
    const answer = await namingFixture(options.fixture, dataset, () =>
      callServer(on.server, 'reseed', options.adminToken, dataset),
    )
    print(`Reseeded ${name}: ${keyText(Made.parse(answer))}.`)
    return
  }
  const { made, damage } = await namingFixture(options.fixture, dataset, () =>
    reseedFolder(on.folder, dataset),
  )
  const replaced = damage.map(({ file, fact }) => `${file} (${fact})`).join(', ')
  print(`Reseeded ${name}: ${keyText(made)}.${replaced && ` Damaged files were replaced: ${replaced}.`}`)
}

/** The way to export another dataset than the folder holds. */
const ANOTHER =
  'Leave these options out to export what is there, or add --memory to export what they describe.'

/** Prints the dataset that is there, or the one that the flags ask for where none is; writes nothing. */
export async function exportDataset(flags: Flags): Promise<void> {
  const { sandbox } = await readSandbox(flags, ANOTHER)
  await printPieces(sandbox.exportText())
}

/** Prints the OpenAPI document for the same dataset, at the address where the server would listen. */
export async function printOpenApi(flags: Flags): Promise<void> {
  const { sandbox, options } = await readSandbox(flags)
  const address = `http://127.0.0.1:${options.port ?? DEFAULT_PORT}/openapi.json`
  const document = await sandbox.fetch(new Request(address))
  print(JSON.stringify(await document.json(), null, 2))
}

/** Opens the dataset that is there, or the requested one; writes nothing. */
async function readSandbox(
  flags: Flags,
  otherDataset?: string,
): Promise<Pick<Resolved, 'options'> & { readonly sandbox: OpenSandbox }> {
  const { options, data } = await resolved(flags)
  const { assumptions } = options
  const dataset = await datasetOf(options)
  const storage = data === undefined ? {} : { storage: await readFolder(data) }
  const sandbox = await namingFixture(options.fixture, dataset, () =>
    openSandbox(dataset, { ...storage, assumptions, otherDataset }),
  )
  return { options, sandbox }
}

const Made = z.object({ seed: z.number(), size: z.number(), fixture: z.string(), now: z.string() })

const keyText = ({ seed, size, fixture, now }: z.infer<typeof Made>): string =>
  `seed ${seed}, size ${size}, fixture ${fixture}, now ${now}`

/** Makes a new dataset in a folder, also if what it holds is damaged. */
async function reseedFolder(
  folder: string,
  dataset: DatasetOptions,
): Promise<{ readonly made: Sandbox['dataset']; readonly damage: readonly DamagedFile[] }> {
  const damage: DamagedFile[] = []
  const { storage } = await openFolder(folder, { onDamage: (found) => damage.push(found) })
  try {
    const kept = await storage.load()
    const sandbox = await openSandbox(kept ? {} : dataset, { storage })
    if (kept) await sandbox.reseed(dataset)
    return { made: sandbox.dataset, damage }
  } finally {
    await storage.close()
  }
}
