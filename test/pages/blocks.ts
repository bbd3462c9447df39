import { readdirSync, readFileSync } from 'node:fs'

export interface Block {
  readonly page: string
  /** The line of the first line of code, from 1. */
  readonly line: number
  readonly language: string
  readonly code: string
  /** The comment before the block, as in `not run: needs a network`. */
  readonly note: string | undefined
}

/** The pages whose code blocks are run, by their paths. Order: the README first. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `docs/${name}`),
]

/** Finds the code blocks of a page, each with the comment in the last line of text before it. */
export function readBlocks(page: string): Block[] {
  const blocks: Block[] = []
  const lines = readFileSync(page, 'utf8').split('\n')
  let before = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, indent, fence, language] = /^( *)(`{3,})(.*)$/.exec(line) ?? []
    if (indent === undefined || fence === undefined || language === undefined) {
      if (line.trim() !== '') before = line.trim()
      continue
    }
    const start = index + 1
    const end = lines.findIndex((one, place) => place >= start && one.trim() === fence)
    index = end === -1 ? lines.length : end
    const indentation = new RegExp(`^ {0,${indent.length}}`)
    const code = lines.slice(start, index).map((one) => one.replace(indentation, ''))
    const [, note] = /^<!-- ((?:not run: |file: |examples\/).*) -->$/.exec(before) ?? []
    blocks.push({ page, line: start + 1, language: language.trim(), code: code.join('\n'), note })
    before = ''
  }
  return blocks
}
