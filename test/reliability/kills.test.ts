import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { begin, exitCode, noteContents, postNote, serve, until } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { chooseAmount, expectBelow, formatMilliseconds, limitAtFullScale, quantile } from './figures.ts'

/** No damage. */
const none = { lost: [], torn: [], doubled: [] }

/** Tracks the notes that a customer must have, whatever happens to the servers that accepted them. */
class Ledger {
  /** Existing and acknowledged notes. */
  readonly #kept: string[] = []
  /** Notes that were sent and may be stored. */
  readonly #sent = new Set<string>()

  #count = 0

  /** The number of acknowledged notes. */
  get acknowledged(): number {
    return this.#kept.length
  }

  /** Reads the existing notes. */
  async begin(baseUrl: string): Promise<void> {
    this.#kept.push(...(await noteContents(baseUrl)))
  }

  /** Writes a note whose end shows that it is complete. Errors: if it is not acknowledged. */
  async write(baseUrl: string, length = 0): Promise<void> {
    const number = `Note ${(this.#count += 1)}`
    const content = `${number} ${'x'.repeat(length)} end of ${number}`
    this.#sent.add(content)
    await postNote(baseUrl, content)
    this.#kept.push(content)
  }

  /** Writes notes, several at once, until the server stops. */
  async writeOn(baseUrl: string, clients: number): Promise<void> {
    const client = async () => {
      for (;;) await this.write(baseUrl, this.#count % 500)
    }
    await Promise.all(Array.from({ length: clients }, () => client().catch(() => undefined)))
  }

  /** Finds notes that are lost, torn or doubled. */
  async findDamage(baseUrl: string) {
    const found = await noteContents(baseUrl)
    const known = new Set([...this.#kept, ...this.#sent])
    const lost = this.#kept.filter((content) => !found.includes(content))
    const torn = found.filter((content) => !known.has(content))
    const doubled = found.filter((content, index) => found.indexOf(content) !== index)
    return { lost, torn, doubled }
  }
}

it('keeps every acknowledged write whole and once, whenever it is killed', async (context) => {
  const folder = temporaryFolder()
  const ledger = new Ledger()
  const starts: number[] = []
  const start = async () => {
    const begun = performance.now()
    const server = await serve(['--size', chooseAmount('small', 'medium'), '--data', folder])
    starts.push(performance.now() - begun)
    return server
  }
  const first = await start()
  await ledger.begin(first.baseUrl)
  first.child.kill('SIGKILL')
  const rounds = chooseAmount(2, 20)
  for (let round = 0; round < rounds; round += 1) {
    // Kill it under load.
    const loaded = await start()
    const before = ledger.acknowledged
    const writing = ledger.writeOn(loaded.baseUrl, 8)
    await until(() => ledger.acknowledged >= before + 10 + 7 * round)
    loaded.child.kill('SIGKILL')
    await writing

    // Kill it while it starts: once it has the lock.
    rmSync(join(folder, 'lock.json'))
    const starting = begin(['start', '--port', '0', '--data', folder])
    await until(() => existsSync(join(folder, 'lock.json')))
    starting.kill('SIGKILL')
    await exitCode(starting)

    // Kill it while it shuts down.
    const ending = await start()
    expect(await ledger.findDamage(ending.baseUrl)).toEqual(none)
    await ledger.write(ending.baseUrl)
    ending.child.kill('SIGTERM')
    ending.child.kill('SIGKILL')
    await exitCode(ending.child)
  }
  const last = await start()
  expect(await ledger.findDamage(last.baseUrl)).toEqual(none)

  await context.annotate(`${ledger.acknowledged} notes, ${3 * rounds} kills`)
  // The first start also generates the dataset.
  const median = quantile(starts.slice(1), 0.5)
  await expectBelow(context, 'median start', median, limitAtFullScale(300), formatMilliseconds)
})
