import * as z from 'zod'

import { SandboxError } from '../core/errors.ts'
import { formatPath } from '../core/issues.ts'
import { isObject } from '../core/json.ts'
import type { PresentedName } from './choices.ts'
import { adapt, rebuild } from './codecs.ts'
import { getProvenance } from './provenance.ts'

/** Declares a record that the option `present` may show in another form. */
export const presentable = <T extends z.ZodObject>(name: PresentedName, shape: T): T =>
  adapt(shape, ({ present: { [name]: presenter } = {} }) => {
    if (presenter === undefined) return undefined
    const place = `present.${name}`
    const open = openSchema(shape)
    const { schema, present } =
      typeof presenter === 'function' ? { schema: open, present: presenter } : presenter
    const marks = { ...getProvenance(shape), 'x-provenance': 'assumed', 'x-source': place }
    const mark = (field: z.ZodType) => (getProvenance(field) ? field : field.meta(marks))
    return {
      schema: (schema instanceof z.ZodObject ? rebuild(schema, mark) : schema).meta({ 'x-source': place }),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the encoded form of this very record
      present: (record) => presentRecord(place, present, [open, schema], structuredClone(record) as never),
    }
  })

/** Creates the schema of a record of which only some fields are known: the documented ones. */
function openSchema(shape: z.ZodObject): z.ZodObject {
  const documented = Object.entries<z.ZodType>(shape.shape).filter(
    ([, field]) => getProvenance(field)?.['x-provenance'] === 'documented',
  )
  return z.object(Object.fromEntries(documented))
}

/** Errors: internal_error that names the function, if it throws, or returns no object or one that does not fit. */
function presentRecord(
  place: string,
  present: (record: never) => object,
  schemas: readonly z.ZodType[],
  record: never,
): unknown {
  const fail = (fact: string, cause?: unknown) =>
    new SandboxError('internal_error', `The function ${place} ${fact}. Correct it in your options.`, {
      cause,
    })
  let json: string
  try {
    const result: unknown = present(record)
    if (!isObject(result) || result instanceof Promise) throw fail('must return an object')
    json = JSON.stringify(result)
  } catch (error) {
    if (error instanceof SandboxError) throw error
    throw fail(`threw ${error instanceof Error ? `${error.name}: ${error.message}` : 'no error'}`, error)
  }
  const shown: unknown = JSON.parse(json)
  for (const schema of schemas) {
    const [issue] = schema.safeParse(shown).error?.issues ?? []
    if (issue) throw fail(`returned an object whose ${formatPath(issue.path)} ${issue.message}`)
  }
  return shown
}
