import type { Adapter } from 'lowdb'

import { version } from '../core/version.ts'
import type { SavedMoment } from '../living/moments.ts'
import { FORMAT } from './documents.ts'

/** The content of `moment.json`, which follows from the dataset, so that it may be missing. */
export interface MomentFile extends SavedMoment {
  readonly format: number
  readonly generation: number
  readonly version: string
}

/** Stores the changes of a living dataset in a file. A write that fails is ignored, because they can be computed again. */
export class MomentStore {
  readonly #file: Adapter<MomentFile> | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(file: Adapter<MomentFile> | undefined) {
    this.#file = file
  }

  /** Writes a moment after earlier ones. @param generation that of the dataset */
  keep(moment: SavedMoment, generation: number): void {
    const write = () => this.#file?.write({ format: FORMAT, version, generation, ...moment })
    this.#writing = this.#writing.then(write).catch(ignoreLostMoment)
  }

  async load(generation: number): Promise<SavedMoment | undefined> {
    const stored = await this.#file?.read().catch(ignoreLostMoment)
    return stored?.generation === generation && stored.version === version ? stored : undefined
  }

  async close(): Promise<void> {
    await this.#writing
  }
}

/** NOTE: a moment that is missing is computed again. */
function ignoreLostMoment(): undefined {}
