import * as z from 'zod'

import { SandboxError } from '../src/contract/errors.ts'
import { pathText } from '../src/contract/issues.ts'
import { didYouMean } from '../src/contract/nearest.ts'

/** What is wrong in a fixture: where, what, and what to do. */
export interface FixtureFault {
  readonly path: string
  readonly message: string
  readonly remedy: string
}

/**
 * An error in a fixture: "Cannot load fixture two-teams: signals[3].customerId 99 matches no customer. …"
 * Its field is the option `fixture`, or what is inside it: `fixture.signals[3].customerId`.
 */
export function fixtureError(fixture: string, { path, message, remedy }: FixtureFault): SandboxError {
  const fact = path === '' ? `it ${message}` : `${path} ${message}`
  const detail = `Cannot load fixture ${fixture}: ${fact}. ${remedy}${/[.?]$/.test(remedy) ? '' : '.'}`
  const name = path === '' ? 'fixture' : `fixture.${path}`
  return new SandboxError('invalid_request', detail, { errors: [{ in: 'body', name, message }] })
}

/** What an issue that zod found is in words. */
export function issueFault(issue: z.core.$ZodIssue | undefined, schema: z.ZodType): FixtureFault {
  if (!issue) return { path: '', message: 'cannot be read', remedy: 'Write it as JSON' }
  const path = pathText(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const known = knownKeys(schema, issue.path)
    return {
      path: pathText([...issue.path, key]),
      message: 'is not a field that is known here',
      remedy: didYouMean(key, known),
    }
  }
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  if (isMissing) return { path, message: 'is missing', remedy: 'Give it' }
  const isTime = issue.code === 'invalid_format' && /instant|date/.test(issue.message)
  return {
    path,
    message: inWords(issue.message),
    remedy: isTime ? 'Write it so, or relative to now as in now-12d' : 'Correct it',
  }
}

function inWords(message: string): string {
  return message
    .replace(/^Invalid input: expected (.+), received (.+)$/, 'must be of type $1, not $2')
    .replace(/^Invalid option: expected one of (.+)$/, 'must be one of $1')
    .replace(/^Too (?:small|big): expected .+? to (?:be|have) /, 'must be ')
    .replaceAll('"|"', '", "')
}

/** The fields of the object at a path of a schema. */
function knownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  const bare = unwrapped(schema)
  const [part, ...rest] = path
  if (part === undefined) return bare instanceof z.ZodObject ? Object.keys(bare.shape) : []
  if (bare instanceof z.ZodArray) return knownKeys(bare.element, rest)
  return bare instanceof z.ZodObject ? knownKeys(bare.shape[String(part)], rest) : []
}

function unwrapped(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
  return isWrapped ? unwrapped(schema.unwrap()) : schema
}
