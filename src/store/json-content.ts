import { WrongContent } from './formats.ts'

/** The value of a file's bytes. Errors: WrongContent that says where and how it is damaged. */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new WrongContent('it is empty')
  if (bytes.includes(0)) throw new WrongContent('it holds NUL bytes, as a power failure leaves them')
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongContent(syntaxFact(text, error))
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new WrongContent('it is not UTF-8')
  }
}

function syntaxFact(text: string, error: unknown): string {
  const found = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  const position = found ? Number(found[1]) : text.length
  if (position >= text.trimEnd().length) return 'it breaks off in the middle'
  const before = text.slice(0, position)
  return `it is not JSON from line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')} on`
}
