import * as z from 'zod'

import type { AssumptionId } from '../../contract/assumptions.ts'
import type { Choice } from '../../contract/choice.ts'
import { type ChoiceName, choices } from '../../contract/choices.ts'
import { provenanceOf } from '../../contract/provenance.ts'
import { partsOf } from '../../contract/schema-parts.ts'
import { choiceNames, defaultSettings } from '../../contract/settings.ts'
import { type Variant, variantsUnder } from '../../contract/variation.ts'
import type { Contract } from '../../resources/contract.ts'

/** What becomes of a schema where one assumption is decided otherwise. */
interface Otherwise extends Variant {
  readonly id: AssumptionId
}

const byName: Readonly<Record<ChoiceName, Choice>> = choices

const known = new WeakMap<z.ZodType, readonly Otherwise[]>()

/** The other forms of a schema: one for each value of each assumption that changes it. */
export function otherForms(schema: z.ZodType): readonly Otherwise[] {
  const found = known.get(schema) ?? choiceNames.flatMap((name) => formsUnder(name, schema))
  known.set(schema, found)
  return found
}

function formsUnder(name: ChoiceName, schema: z.ZodType): Otherwise[] {
  const { assumption: id, alternatives } = byName[name]
  return alternatives
    .slice(1)
    .map(({ value }) => variantsUnder({ ...defaultSettings, [name]: value })(schema))
    .filter((variant) => variant.schema !== schema && !isCopy(variant.schema, schema))
    .map((variant) => ({ id, ...variant }))
}

/** Says whether the form of an object is one in which nothing has changed. */
function isCopy(form: z.ZodType, schema: z.ZodType): boolean {
  return form instanceof z.ZodObject && textOf(form) === textOf(copyOf(schema))
}

const copies = new WeakMap<z.ZodType, z.ZodType>()

function copyOf(schema: z.ZodType): z.ZodType {
  const copy = copies.get(schema) ?? variantsUnder({ ...defaultSettings })(schema).schema
  copies.set(schema, copy)
  return copy
}

const texts = new WeakMap<z.ZodType, string>()

function textOf(schema: z.ZodType): string {
  const text = texts.get(schema) ?? JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))
  texts.set(schema, text)
  return text
}

/**
 * The assumptions on which records of a shape rest: those that decide fields which the records have, and those that,
 * decided otherwise, would give a field another value.
 * @param records as they were answered under the contract; undefined where that is not known: whatever may occur
 */
export function assumptionsInRecords(
  shape: z.ZodType,
  records: readonly unknown[] | undefined,
  contract: Contract,
): ReadonlySet<AssumptionId> {
  const possible = assumptionsInShape(shape)
  if (!records) return possible
  const found = new Set<AssumptionId>()
  const { decode } = contract.variantOf(shape)
  for (const record of records) {
    if (found.size === possible.size) break
    addFrom(shape, decode(record), contract, found)
  }
  return found
}

/** Every assumption that a schema names, or that changes it. */
export function assumptionsInShape(schema: z.ZodType): ReadonlySet<AssumptionId> {
  const found = new Set(otherForms(schema).map(({ id }) => id))
  const seen = new Set<z.ZodType>()
  const add = (part: z.ZodType): void => {
    if (seen.has(part)) return
    seen.add(part)
    const id = provenanceOf(part)?.['x-assumption']
    if (id !== undefined) found.add(id)
    for (const inner of partsOf(part)) add(inner)
  }
  add(schema)
  return found
}

/** @param record in the default form */
function addFrom(shape: z.ZodType, record: unknown, contract: Contract, found: Set<AssumptionId>): void {
  visit(shape, record, (schema) => {
    const mark = provenanceOf(schema)
    const id = mark?.['x-assumption']
    if (id === undefined) return
    // What is decided otherwise may not lead back to the default form, so its values tell nothing.
    if (mark?.['x-provenance'] === 'assumed' || isSet(id, contract)) found.add(id)
  })
  const text = JSON.stringify(record)
  for (const { id, encode } of otherForms(shape)) {
    if (!found.has(id) && JSON.stringify(encode(record)) !== text) found.add(id)
  }
}

function isSet(id: AssumptionId, { settings }: Contract): boolean {
  return choiceNames.some(
    (name) => byName[name].assumption === id && settings[name] !== defaultSettings[name],
  )
}

/** Goes through the schemas of everything that a value has. */
function visit(schema: z.ZodType, value: unknown, see: (schema: z.ZodType) => void): void {
  see(schema)
  if (value === null || value === undefined) return
  if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object') return
    for (const [name, part] of Object.entries(value)) {
      const field: z.ZodType | undefined = schema.shape[name]
      if (field) visit(field, part, see)
    }
  } else if (Array.isArray(value)) {
    for (const inner of partsOf(schema)) for (const element of value) visit(inner, element, see)
  } else for (const inner of partsOf(schema)) visit(inner, value, see)
}
