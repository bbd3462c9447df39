import { expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'

import type { Client } from '../../src/client.ts'
import type { ExplainFields, ExplainRecordedFields } from '../../src/explain/dry-run-fields.ts'
import type { ExplainInput } from '../../src/explain/explain.ts'
import type { PreviewInput } from '../../src/explain/preview.ts'
import type { FaultInput } from '../../src/faults/fault.ts'
import type { RequestFilter } from '../../src/journal/pattern.ts'
import type { VerifyRule } from '../../src/journal/verify.ts'
import type { InputOf, OutputOf } from '../../src/resources/endpoint.ts'
import { operations } from '../../src/resources/index.ts'
import type { Config, SandboxOptions, StartOptions } from '../../src/server/options.ts'
import type { DatasetOptions } from '../../src/store/dataset-options.ts'

type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T

/** Both directions, except that the interface does not change what it is given. */
type Same<Documented, Parsed> = [Parsed] extends [Documented]
  ? [Writable<Documented>] extends [Parsed]
    ? true
    : 'the schema rejects values of the interface'
  : 'the interface rejects values of the schema'

type AllOptional<T> = { readonly [K in keyof T]?: T[K] | undefined }

type Operations = typeof operations

it('documented interfaces accept exactly what their schemas accept', () => {
  expectTypeOf<Same<DatasetOptions, z.input<typeof DatasetOptions>>>().toEqualTypeOf<true>()
  expectTypeOf<Same<FaultInput, z.input<typeof FaultInput>>>().toEqualTypeOf<true>()
  expectTypeOf<Same<VerifyRule, z.input<typeof VerifyRule>>>().toEqualTypeOf<true>()
  expectTypeOf<Same<RequestFilter, z.input<typeof RequestFilter>>>().toEqualTypeOf<true>()
  // The schema also rejects a path with a requestId.
  expectTypeOf<
    Same<AllOptional<ExplainFields & ExplainRecordedFields>, z.input<typeof ExplainInput>>
  >().toEqualTypeOf<true>()
  expectTypeOf<Same<PreviewInput, z.input<typeof PreviewInput>>>().toEqualTypeOf<true>()
  expectTypeOf<Same<StartOptions, z.input<typeof StartOptions>>>().toEqualTypeOf<true>()
  expectTypeOf<Same<SandboxOptions, z.input<typeof SandboxOptions>>>().toEqualTypeOf<true>()
  expectTypeOf<Same<Config, z.input<typeof Config>>>().toEqualTypeOf<true>()
})

it('the client has a function for each operation, with its input and output', () => {
  type Inputs = { [Id in keyof Operations]: InputOf<Operations[Id]> }
  type Given = { [Id in keyof Operations]: NonNullable<Parameters<Client[Id]>[0]> }
  type Outputs = { [Id in keyof Operations]: OutputOf<Operations[Id]> }
  type Returned = { [Id in keyof Operations]: Awaited<ReturnType<Client[Id]>> }
  type Paged = { [Id in keyof Operations as Outputs[Id] extends { totalCount: number } ? Id : never]: Id }
  expectTypeOf<Same<Given, Inputs>>().toEqualTypeOf<true>()
  expectTypeOf<Same<Returned, Outputs>>().toEqualTypeOf<true>()
  expectTypeOf<keyof Client['each']>().toEqualTypeOf<keyof Paged>()
  expect(Object.keys(operations)).toHaveLength(22)
})
