import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Block } from './blocks.ts'
import { findPrinted, hasTests, joinModule, type Module, type Plan } from './plan.ts'
import { isServer, Shell, type ShellOptions } from './shell.ts'

declare global {
  /** Prints values and records them as those of a line, as in `docs/faults.md:12`. */
  var printLine: (place: string, ...values: readonly unknown[]) => void
}

/** Declares a test for each step of a page, in the order of the page; modules with tests are files of their own. */
export function runPage({ steps }: Plan, options: ShellOptions): void {
  const open = useShell(options)
  const printed = recordPrinted(options.port)
  for (const step of steps) {
    if (step.kind === 'file') {
      test(placeOf(step.block), async () => {
        writeFileSync(join(options.folder, step.file), (await open('')).toOwnPort(`${step.block.code}\n`))
      })
    } else if (step.kind === 'shell') {
      test(placeOf(step.block), async () => {
        const { all, last } = await (await open(step.block.code)).run(step.block.code)
        if (step.output?.language === 'json') expectJson(step.output, last)
        else if (step.output) expectText(step.output, all)
      })
    } else {
      const [first] = step.module.blocks
      if (!first || hasTests(step.module)) continue
      test(placeOf(first), async () => {
        await open(joinModule(step.module))
        await import(/* @vite-ignore */ join(options.folder, step.module.name))
        expectPrinted(step.module, printed)
      })
    }
  }
}

/** Prepares the file of a module with tests: starts a server if the module uses one, and checks what it prints. */
export function runModule(module: Module, options: ShellOptions): void {
  const open = useShell(options)
  const printed = recordPrinted(options.port)
  beforeAll(async () => void (await open(joinModule(module))))
  afterAll(() => expectPrinted(module, printed))
}

const placeOf = ({ page, line }: Block): string => `${page}:${line}`

/** Opens the shell of a page when it is needed, with a server if a step uses one, and closes it after the tests. */
function useShell(options: ShellOptions): (code: string) => Promise<Shell> {
  let opened: Shell | undefined
  afterAll(() => opened?.close())
  return async (code) => {
    opened ??= new Shell(options)
    const usesServer = /\b4500\b|workspace-sandbox re(?:set|seed)/.test(code)
    if (usesServer && !opened.hasServer && !code.split('\n').some(isServer))
      await opened.run('npx workspace-sandbox --memory')
    return opened
  }
}

function recordPrinted(port: number): ReadonlyMap<string, readonly string[]> {
  const printed = new Map<string, string[]>()
  globalThis.printLine = (place, ...values) => {
    const text = format(...values).replaceAll(new RegExp(String.raw`\b${port}\b`, 'g'), '4500')
    printed.set(place, [...(printed.get(place) ?? []), text])
  }
  return printed
}

function expectPrinted(module: Module, printed: ReadonlyMap<string, readonly string[]>): void {
  for (const { place, text } of findPrinted(module)) {
    const lines = printed.get(place)
    expect(lines, `${place} has not run`).toBeDefined()
    expect(lines, `${place} prints something else`).toEqual(lines?.map(() => text))
  }
}

function expectJson(block: Block, output: string): void {
  expect(JSON.parse(output), `at ${placeOf(block)}`).toStrictEqual(parsePattern(block.code))
}

/** Expects a text that matches a block line by line; `…` matches a part of a line, and alone any lines. */
function expectText(block: Block, output: string): void {
  const source = toLines(block.code).map((line) =>
    line.trim() === ANYTHING ? '(?:.*\\n)*?' : `${toSource(line)}\\n`,
  )
  const pattern = new RegExp(`^${source.join('')}$`)
  expect(`${toLines(output).join('\n')}\n`, `at ${placeOf(block)}`).toMatch(pattern)
}

/** Matches anything: a value, the rest of an object or an array, a part of a line, or lines. */
const ANYTHING = '…'

const anything: unknown = expect.toSatisfy(() => true)

/** Parses JSON in which `…` matches any value and, as a key or as the last element, the rest. */
const parsePattern = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => {
    if (value === ANYTHING) return anything
    if (Array.isArray(value) && value.at(-1) === anything)
      return expect.objectContaining(Object.assign({ length: expect.any(Number) }, value.slice(0, -1)))
    const { [ANYTHING]: rest, ...given } = Object(value)
    return rest === anything ? expect.objectContaining(given) : value
  })

const toSource = (line: string): string => line.split(ANYTHING).map(escape).join('.*?')

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const toLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
