import * as z from 'zod'

import type { DatasetOptions } from '../options.ts'
import { type OpenSandbox, openSandbox, type Sandbox } from '../sandbox.ts'
import { datasetOf } from '../server/fixture-file.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import { folderHolder, holdsData, openFolder, readFolder } from '../store/files.ts'
import { print, printPieces } from './output.ts'
import { type Resolved, resolved } from './resolve.ts'
import { callServer } from './running-server.ts'
import { UsageError } from './usage-error.ts'

type Flags = Readonly<Record<string, unknown>>

/** Drops the changes: in the server that has the data, else in its files. */
export async function reset(flags: Flags): Promise<void> {
  const { options, data } = await resolved(flags)
  const folder = keptIn(data, 'reset')
  const holder = await folderHolder(folder)
  if (holder?.url) {
    await callServer({ ...holder, url: holder.url }, 'reset', options.adminToken)
    print(`Reset ${holder.url}: what was written to it is gone.`)
  } else if (holdsData(folder)) {
    const { storage } = await openFolder(folder)
    try {
      await storage.clear()
    } finally {
      await storage.close()
    }
    print(`Reset ${folder}: what was written to it is gone.`)
  } else {
    print(`Nothing to reset: there is no data in ${folder}.`)
  }
}

/** Makes a new dataset: in the server that has the data, else in its files. What is not given stays as it was. */
export async function reseed(flags: Flags): Promise<void> {
  const { options, data } = await resolved(flags)
  const folder = keptIn(data, 'reseed')
  const dataset = await datasetOf(options)
  const holder = await folderHolder(folder)
  if (holder?.url) {
    const made = Made.parse(
      await callServer({ ...holder, url: holder.url }, 'reseed', options.adminToken, dataset),
    )
    print(`Reseeded ${holder.url}: ${keyText(made)}.`)
  } else {
    print(`Reseeded ${folder}: ${keyText(await reseedFolder(folder, dataset))}.`)
  }
}

/** Prints the dataset that is there, or the one that the flags ask for where none is; writes nothing. */
export async function exportDataset(flags: Flags): Promise<void> {
  const { sandbox } = await readSandbox(flags)
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
): Promise<Pick<Resolved, 'options'> & { readonly sandbox: OpenSandbox }> {
  const { options, data } = await resolved(flags)
  const { assumptions } = options
  const storage = data === undefined ? {} : { storage: await readFolder(data) }
  return { options, sandbox: await openSandbox(await datasetOf(options), { ...storage, assumptions }) }
}

const Made = z.object({ seed: z.number(), size: z.number(), fixture: z.string(), now: z.string() })

const keyText = ({ seed, size, fixture, now }: z.infer<typeof Made>): string =>
  `seed ${seed}, size ${size}, fixture ${fixture}, now ${now}`

async function reseedFolder(folder: string, dataset: DatasetOptions): Promise<Sandbox['dataset']> {
  const { storage } = await openFolder(folder)
  try {
    const kept = await storage.load()
    const sandbox = await openSandbox(kept ? {} : dataset, { storage })
    if (kept) await sandbox.reseed(dataset)
    return sandbox.dataset
  } finally {
    await storage.close()
  }
}

function keptIn(data: string | undefined, verb: string): string {
  if (data !== undefined) return data
  throw new UsageError(`Cannot ${verb} what is kept in memory: nothing is. Name a folder with --data.`)
}
