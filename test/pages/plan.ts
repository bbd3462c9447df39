import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, normalize } from 'node:path'

import { type Block, readBlocks } from './blocks.ts'

/** A module that consists of blocks of a page; each block is at its line. */
export interface Module {
  readonly name: string
  readonly blocks: Block[]
}

export type Step =
  | { readonly kind: 'shell'; readonly block: Block; readonly output?: Block }
  | { readonly kind: 'file'; readonly block: Block; readonly file: string }
  | { readonly kind: 'module'; readonly module: Module }

/** The steps of running a page, and the blocks that cannot be run. */
export interface Plan {
  readonly page: string
  readonly steps: readonly Step[]
  /** Code of examples, which other tests run. */
  readonly quotes: readonly Block[]
  /** Each as `docs/faults.md:12: message`. */
  readonly errors: readonly string[]
}

/** Plans how to run the blocks of a page. Order: as on the page. */
export function planPage(page: string): Plan {
  const blocks = readBlocks(page)
  const steps: Step[] = []
  const quotes: Block[] = []
  const errors: string[] = []
  let module: Module | undefined
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]
    if (!block) break
    const fail = (message: string): unknown => errors.push(`${page}:${block.line}: ${message}`)
    const { language, note = '', code } = block
    const [, reason] = /^not run: (.+)$/.exec(note) ?? []
    const [, file] = /^file: (.+)$/.exec(note) ?? []
    if (reason !== undefined) continue
    if (note.startsWith('examples/')) {
      for (const message of compareToExample(note, code)) fail(message)
      if (language === 'ts' || language === 'js') quotes.push(block)
    } else if (file !== undefined) {
      if (isAbsolute(file) || normalize(file).startsWith('..'))
        fail(`${file} is outside of the page's folder`)
      else steps.push({ kind: 'file', block, file })
    } else if (language === 'sh') {
      const next = blocks[index + 1]
      const output = next && isOutput(next) ? next : undefined
      if (output) index++
      steps.push({ kind: 'shell', block, ...(output && { output }) })
    } else if (language === 'ts' || language === 'js') {
      for (const message of findModuleErrors(code)) fail(message)
      if (!module || /^import\b/m.test(code)) {
        module = { name: `module-${block.line}.${language}`, blocks: [] }
        steps.push({ kind: 'module', module })
      }
      module.blocks.push(block)
    } else {
      fail(
        `CI cannot run a block in \`${language}\` here. ${isOutput(block) ? 'It must follow a `sh` block. ' : ''}` +
          'Add `<!-- not run: reason -->`, `<!-- file: name -->` or `<!-- examples/… -->` before it.',
      )
    }
  }
  return { page, steps, quotes, errors }
}

const isOutput = ({ language, note }: Block): boolean =>
  (language === 'json' || language === 'text') && note === undefined

function compareToExample(file: string, code: string): readonly string[] {
  if (!existsSync(file)) return [`there is no file ${file}`]
  const lines = new Set(trimLines(readFileSync(file, 'utf8')))
  return trimLines(code).flatMap((line) => (lines.has(line) ? [] : [`${file} has no line \`${line}\``]))
}

const trimLines = (text: string): string[] => text.split('\n').map((line) => line.trim())

function* findModuleErrors(code: string): Generator<string> {
  if (code.includes("'workspace-sandbox/playwright'")) {
    yield 'CI runs Playwright only in examples. Quote one with `<!-- examples/… -->`, or mark the block as not run.'
  }
  for (const line of code.split('\n')) {
    if (line.includes('// →') && !PRINTED.test(line)) {
      yield `write \`console.log(…) // → text\` in one line, instead of \`${line.trim()}\``
    }
  }
}

/** A line that shows what it prints. */
export const PRINTED = /^(\s*)console\.log\((.*)\);? *\/\/ → (.*?) *$/

export function hasTests({ blocks }: Module): boolean {
  return blocks.some(({ code }) => /^\s*(?:test|it)(?:\.\w+)*\(/m.test(code))
}

/** Finds the lines of a module that show what they print, each with its place, as in `docs/faults.md:12`. */
export function findPrinted({ blocks }: Module): { readonly place: string; readonly text: string }[] {
  return blocks.flatMap(({ page, line, code }) =>
    code.split('\n').flatMap((text, index) => {
      const [, , , shown] = PRINTED.exec(text) ?? []
      return shown === undefined ? [] : [{ place: `${page}:${line + index}`, text: shown }]
    }),
  )
}

/** Joins the blocks of a module, each at the line that it has on the page. */
export function joinModule({ blocks }: Module): string {
  const lines: string[] = []
  for (const { line, code } of blocks) {
    while (lines.length < line - 1) lines.push('')
    lines.push(...code.split('\n'))
  }
  return `${lines.join('\n')}\n`
}
