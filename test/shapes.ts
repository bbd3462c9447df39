import { createSandbox, type Sandbox, type SandboxOptions, type ShapesInput } from '../src/index.ts'

/** A product as another service might show it. */
export const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string', 'x-from': 'name' },
    tier: { enum: ['gold', 'silver'] },
    launchedOn: { type: 'string', format: 'date' },
    owner: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, code: { type: 'string', 'x-from': 'key' } },
      required: ['email', 'code'],
    },
  },
  required: ['id', 'title', 'tier', 'launchedOn', 'owner'],
  additionalProperties: false,
}

/** A product in that form. */
export interface LearnedProduct {
  readonly id: number
  readonly title: string
  readonly tier: string
  readonly launchedOn: string
  readonly owner: { readonly email: string; readonly code: string }
}

/** Opens a small sandbox with learned shapes. */
export const openShaped = (shapes: ShapesInput, options: SandboxOptions = {}): Promise<Sandbox> =>
  createSandbox({ size: 'small', ...options, shapes })
