import { writeFile } from 'node:fs/promises'

import * as z from 'zod'

import { lazyObject } from '../core/lazy-schema.ts'
import { openFolder, readFolder } from '../disk/folder.ts'
import { type DamagedFile, describeWriteError } from '../disk/storage-errors.ts'
import { getContract } from '../resources/contract.ts'
import { resolveSettings as resolveOverrides } from '../sandbox/resolve-settings.ts'
import { type OpenSandbox, openSandbox } from '../sandbox/sandbox.ts'
import { renderShapeTypes } from '../schemas/shape-types.ts'
import { loadCalibration } from '../server/calibration-file.ts'
import { loadFixture, nameFixtureFile } from '../server/fixture-file.ts'
import { DEFAULT_PORT } from '../server/options.ts'
import type { DatasetOptions } from '../store/dataset-options.ts'
import { CommandError } from './failure.ts'
import { print, printPieces } from './output.ts'
import type { Flags } from './settings.ts'
import { type ResolvedSettings, resolveSettings } from './sources.ts'
import { callServer, findTarget } from './target.ts'

/** Drops all changes: through the server that uses the data, or in its files if no server runs. */
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
  print(`Reset ${name}: all changes were dropped.`)
}

const DatasetInfo = lazyObject(() => ({
  seed: z.number(),
  size: z.number(),
  fixture: z.string(),
  now: z.string(),
}))

/** Generates a new dataset, in the same place as `reset`; options that are not given keep their values. */
export async function reseed(flags: Flags): Promise<void> {
  const { options, on, name } = await findTarget('reseed', flags)
  const dataset = await loadFixture(options)
  const damage: DamagedFile[] = []
  const info = await nameFixtureFile(options.fixture, dataset, () =>
    'server' in on
      ? callServer(on.server, 'reseed', options.adminToken, dataset)
      : reseedFolder(on.folder, dataset, damage),
  )
  const { seed, size, fixture, now } = DatasetInfo.parse(info)
  const replaced = damage.map(({ file, fact }) => `${file} (${fact})`).join(', ')
  const note = replaced && ` Damaged files were replaced: ${replaced}.`
  print(`Reseeded ${name}: seed ${seed}, size ${size}, fixture ${fixture}, now ${now}.${note}`)
}

/** Generates a new dataset in a folder, even if its files are damaged. @param damage collects those files */
async function reseedFolder(
  folder: string,
  dataset: DatasetOptions,
  damage: DamagedFile[],
): Promise<OpenSandbox['dataset']> {
  const { storage } = await openFolder(folder, { onDamage: (found) => damage.push(found) })
  try {
    const stored = await storage.load()
    const sandbox = await openSandbox(stored ? {} : dataset, { storage })
    if (stored) await sandbox.reseed(dataset)
    return sandbox.dataset
  } finally {
    await storage.close()
  }
}

export async function exportDataset(flags: Flags): Promise<void> {
  const { sandbox } = await readSandbox(
    flags,
    'Omit these options to export the stored data, or add --memory to export what they describe.',
  )
  await printPieces(sandbox.exportText())
}

export async function printOpenApi(flags: Flags): Promise<void> {
  const { sandbox, options } = await readSandbox(flags)
  const url = `http://127.0.0.1:${options.port ?? DEFAULT_PORT}/openapi.json`
  const document = await sandbox.fetch(new Request(url))
  print(JSON.stringify(await document.json(), null, 2))
}

/** Opens the stored dataset, or a new one if nothing is stored; writes nothing. */
async function readSandbox(
  flags: Flags,
  otherDataset?: string,
): Promise<Pick<ResolvedSettings, 'options'> & { readonly sandbox: OpenSandbox }> {
  const { options, data } = await resolveSettings(flags)
  const { assumptions, shapes } = options
  const calibration = await loadCalibration(options.calibration)
  const dataset = await loadFixture(options)
  const storage = data === undefined ? {} : { storage: await readFolder(data) }
  const sandbox = await nameFixtureFile(options.fixture, dataset, () =>
    openSandbox(dataset, { ...storage, assumptions, shapes, calibration, otherDataset }),
  )
  return { options, sandbox }
}

export async function printTypes({ out, ...flags }: Flags): Promise<void> {
  const { options } = await resolveSettings(flags)
  const calibration = await loadCalibration(options.calibration)
  const text = renderShapeTypes(getContract(await resolveOverrides({ ...options, calibration })))
  if (typeof out !== 'string') {
    print(text.trimEnd())
    return
  }
  try {
    await writeFile(out, text)
  } catch (error) {
    throw new CommandError(`Cannot write ${out}: ${describeWriteError(error)}. Check --out.`)
  }
  print(`Wrote ${out}.`)
}
