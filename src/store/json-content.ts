import { WrongContent } from './formats.ts'

/** The value of a file's bytes. Errors: WrongContent that says where and how it is damaged. */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new WrongContent('it is empty')
  if (bytes.includes(0)) throw new WrongContent('it holds NUL bytes, as a power failure leaves them')
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongContent(syntaxFact(text, positionOf(error) ?? validLength(text)))
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new WrongContent('it is not UTF-8')
  }
}

/** The position that a syntax error names; undefined if it names none. */
function positionOf(error: unknown): number | undefined {
  const found = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  return found ? Number(found[1]) : undefined
}

/** The length of the longest beginning of a text that could become JSON, found by bisection. */
function validLength(text: string): number {
  let valid = 0
  let invalid = text.length + 1
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (couldBecomeJson(text.slice(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

/** Says whether a text is JSON, or would be if it went on. */
function couldBecomeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const isUnfinished = error instanceof Error && /^(?:Unexpected end|Unterminated)/.test(error.message)
    return isUnfinished || positionOf(error) === text.length
  }
}

function syntaxFact(text: string, position: number): string {
  if (position >= text.trimEnd().length) return 'it breaks off in the middle'
  const before = text.slice(0, position)
  return `it is not JSON from line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')} on`
}
