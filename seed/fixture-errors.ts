import * as z from 'zod'

import { SandboxError } from '../src/core/errors.ts'
import { formatPath } from '../src/core/issues.ts'
import { didYouMean } from '../src/core/nearest.ts'

/** An error in a fixture: its path, the problem, and how to solve it. */
export interface FixtureFault {
  readonly path: string
  readonly message: string
  readonly remedy: string
}

/**
 * Creates an error such as "Cannot load fixture two-teams: signals[3].customerId 99 matches no customer. …"
 * Its field is the option `fixture`, or a path inside it, as in `fixture.signals[3].customerId`.
 */
export function fixtureError(fixture: string, { path, message, remedy }: FixtureFault): SandboxError {
  const fact = path === '' ? `it ${message}` : `${path} ${message}`
  const detail = `Cannot load fixture ${fixture}: ${fact}. ${remedy}${/[.?]$/.test(remedy) ? '' : '.'}`
  const name = path === '' ? 'fixture' : `fixture.${path}`
  return new SandboxError('invalid_request', detail, { errors: [{ in: 'body', name, message }] })
}

/** Describes an issue that zod found. */
export function issueFault(issue: z.core.$ZodIssue | undefined, schema: z.ZodType): FixtureFault {
  if (!issue) return { path: '', message: 'cannot be read', remedy: 'Write it as JSON' }
  const path = formatPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const known = listKnownKeys(schema, issue.path)
    return {
      path: formatPath([...issue.path, key]),
      message: 'is not a known field',
      remedy: didYouMean(key, known),
    }
  }
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
  if (isMissing) return { path, message: 'is missing', remedy: 'Add it' }
  const isTime = issue.code === 'invalid_format' && /instant|date/.test(issue.message)
  return {
    path,
    message: rephrase(issue.message),
    remedy: isTime ? 'Use that form, or one relative to now, as in now-12d' : 'Correct it',
  }
}

function rephrase(message: string): string {
  return message
    .replace(/^Invalid input: expected (.+), received (.+)$/, 'must be of type $1, not $2')
    .replace(/^Invalid option: expected one of (.+)$/, 'must be one of $1')
    .replace(/^Too (?:small|big): expected .+? to (?:be|have) /, 'must be ')
    .replaceAll('"|"', '", "')
}

/** Lists the fields of the object at a path of a schema. */
function listKnownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  const bare = unwrap(schema)
  const [part, ...rest] = path
  if (part === undefined) return bare instanceof z.ZodObject ? Object.keys(bare.shape) : []
  if (bare instanceof z.ZodArray) return listKnownKeys(bare.element, rest)
  return bare instanceof z.ZodObject ? listKnownKeys(bare.shape[String(part)], rest) : []
}

function unwrap(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
  return isWrapped ? unwrap(schema.unwrap()) : schema
}
