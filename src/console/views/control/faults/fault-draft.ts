import type { OptionOf } from '../../../../faults/effects.ts'
import { parseJson, parseNumber, parsePairs, omitEmpty } from '../parse-input.ts'

/** The kinds of effect of a custom fault. */
export const effects = {
  status: 'Status',
  sequence: 'Sequence',
  rateLimit: 'Rate limit',
  malfunction: 'Malfunction',
  profile: 'Profile',
  none: 'Real response, delayed or with other headers',
} as const
export type Effect = keyof typeof effects

/** A custom fault, as entered. */
export interface FaultDraft {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly effect: Effect
  readonly status: string
  readonly sequence: string
  readonly repeat: boolean
  readonly requests: string
  readonly windowSeconds: string
  readonly malfunction: string
  readonly profile: string
  readonly stored: boolean
  readonly retryAfterSeconds: string
  readonly body: string
  /** One header per line, as in HTTP. */
  readonly headers: string
  readonly delayFrom: string
  /** Empty for a fixed delay. */
  readonly delayTo: string
  readonly times: string
  readonly after: string
  readonly probability: string
}

export const initialDraft: FaultDraft = {
  operationId: '',
  method: '',
  path: '',
  effect: 'status',
  status: '503',
  sequence: '503, 503, pass',
  repeat: false,
  requests: '10',
  windowSeconds: '10',
  malfunction: 'truncate',
  profile: 'flaky',
  stored: false,
  retryAfterSeconds: '',
  body: '',
  headers: '',
  delayFrom: '',
  delayTo: '',
  times: '',
  after: '',
  probability: '',
}

type ExtraOf<E extends Effect> = Exclude<OptionOf<E>, 'repeat'>

/** Settings that can be combined with some effects. */
export type Extra = ExtraOf<Effect>

const responseExtras = {
  retryAfterSeconds: true,
  body: true,
  headers: true,
  delayMs: true,
  probability: true,
  stored: true,
} as const

/** The settings that each effect can be combined with. The type demands exactly those that the control plane accepts. */
const extras: { readonly [E in Effect]: Readonly<Record<ExtraOf<E>, true>> } = {
  status: responseExtras,
  sequence: responseExtras,
  rateLimit: { body: true, headers: true, delayMs: true, probability: true },
  malfunction: { delayMs: true, probability: true, stored: true },
  profile: {},
  none: { headers: true, delayMs: true, probability: true },
}

/** Reports whether a setting can be combined with the rest of a draft. */
export function allows({ effect, status, malfunction }: FaultDraft, extra: Extra): boolean {
  if (!Object.hasOwn(extras[effect], extra)) return false
  if (extra === 'body') return effect !== 'status' || !/^(?:204|205|304)$/.test(status)
  return !(extra === 'delayMs' && effect === 'malfunction' && malfunction === 'hang')
}

/** Converts a draft to a fault, which the control plane validates; numbers that cannot be parsed stay text. */
export function toFault(draft: FaultDraft): Readonly<Record<string, unknown>> {
  const given = (extra: Extra, value: unknown): unknown => (allows(draft, extra) ? value : undefined)
  const body = given('body', parseJson(draft.body))
  const fault = omitEmpty({
    operationId: draft.operationId,
    method: draft.method,
    path: draft.path,
    ...effectBuilders[draft.effect](draft),
    retryAfterSeconds: given('retryAfterSeconds', parseNumber(draft.retryAfterSeconds)),
    headers: given('headers', draft.headers.trim() && Object.fromEntries(parsePairs(draft.headers, ':'))),
    delayMs: given('delayMs', toDelay(draft)),
    times: parseNumber(draft.times),
    after: parseNumber(draft.after),
    probability: given('probability', parseNumber(draft.probability)),
    stored: given('stored', draft.stored || undefined),
  })
  // An empty string is a valid body.
  return body === undefined ? fault : { ...fault, body }
}

const effectBuilders: Readonly<Record<Effect, (draft: FaultDraft) => object>> = {
  status: ({ status }) => ({ status: parseNumber(status) }),
  sequence: ({ sequence, repeat }) => ({
    sequence: sequence
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseNumber),
    ...(repeat && { repeat }),
  }),
  rateLimit: ({ requests, windowSeconds }) => ({
    rateLimit: { requests: parseNumber(requests), windowSeconds: parseNumber(windowSeconds) },
  }),
  malfunction: ({ malfunction }) => ({ malfunction }),
  profile: ({ profile }) => ({ profile }),
  none: () => ({}),
}

function toDelay({ delayFrom, delayTo }: FaultDraft): unknown {
  return delayTo.trim() === ''
    ? parseNumber(delayFrom)
    : { min: parseNumber(delayFrom) ?? 0, max: parseNumber(delayTo) }
}

/** The props of the form's parts. */
export interface DraftProps {
  readonly draft: FaultDraft
  readonly set: (change: Partial<FaultDraft>) => void
  /** The error of the last attempt to add the fault. */
  readonly error: unknown
}
