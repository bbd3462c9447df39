import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'

import type { ExplainInput, PreviewInput, FaultInput, VerifyRule, DatasetOptions } from '../../src/index.ts'
import type { ExplainFields, ExplainRecordedFields } from '../../src/lab/explain/explain-fields.ts'
import type { Config, StartOptions } from '../../src/node.ts'
import type { RequestFilter } from '../../src/testing/journal/pattern.ts'
import type { SandboxOptions } from '../../src/vite.ts'

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
