import { jsonIn, numberIn, pairsIn, saidIn } from '../entered.ts'

/** What a fault of one's own is about: it says one of these. */
export const effects = {
  status: 'a status',
  sequence: 'one thing after the other',
  rateLimit: 'a rate limit',
  malfunction: 'a malfunction',
  profile: 'a profile',
  none: 'the real answer, later or with other headers',
} as const
export type Effect = keyof typeof effects

/** A fault as it is entered. */
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
  /** A field on each line, as in HTTP. */
  readonly headers: string
  readonly delayFrom: string
  /** Empty where it is always the same. */
  readonly delayTo: string
  readonly times: string
  readonly after: string
  readonly probability: string
}

export const firstDraft: FaultDraft = {
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

/** What may stand beside an effect. */
export type Extra = 'retryAfterSeconds' | 'body' | 'headers' | 'delayMs' | 'probability' | 'stored'

const extras: Readonly<Record<Effect, readonly Extra[]>> = {
  status: ['retryAfterSeconds', 'body', 'headers', 'delayMs', 'probability', 'stored'],
  sequence: ['retryAfterSeconds', 'body', 'headers', 'delayMs', 'probability', 'stored'],
  rateLimit: ['body', 'headers', 'delayMs', 'probability'],
  malfunction: ['delayMs', 'probability', 'stored'],
  profile: [],
  none: ['headers', 'delayMs', 'probability'],
}

/** Says whether something can stand in a fault beside the rest of it. */
export function hasRoom({ effect, status, malfunction }: FaultDraft, extra: Extra): boolean {
  if (!extras[effect].includes(extra)) return false
  if (extra === 'body') return effect !== 'status' || !/^(?:204|205|304)$/.test(status)
  return !(extra === 'delayMs' && effect === 'malfunction' && malfunction === 'hang')
}

/** A draft in the words of the control plane, which checks it; what does not read as a number stays as it is. */
export function faultOf(draft: FaultDraft): Readonly<Record<string, unknown>> {
  const given = (extra: Extra, value: unknown): unknown => (hasRoom(draft, extra) ? value : undefined)
  const body = given('body', jsonIn(draft.body))
  const fault = saidIn({
    operationId: draft.operationId,
    method: draft.method,
    path: draft.path,
    ...effectOf[draft.effect](draft),
    retryAfterSeconds: given('retryAfterSeconds', numberIn(draft.retryAfterSeconds)),
    headers: given('headers', draft.headers.trim() && Object.fromEntries(pairsIn(draft.headers, ':'))),
    delayMs: given('delayMs', delayOf(draft)),
    times: numberIn(draft.times),
    after: numberIn(draft.after),
    probability: given('probability', numberIn(draft.probability)),
    stored: given('stored', draft.stored || undefined),
  })
  // An empty text is a body too.
  return body === undefined ? fault : { ...fault, body }
}

const effectOf: Readonly<Record<Effect, (draft: FaultDraft) => object>> = {
  status: ({ status }) => ({ status: numberIn(status) }),
  sequence: ({ sequence, repeat }) => ({
    sequence: sequence
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(numberIn),
    ...(repeat && { repeat }),
  }),
  rateLimit: ({ requests, windowSeconds }) => ({
    rateLimit: { requests: numberIn(requests), windowSeconds: numberIn(windowSeconds) },
  }),
  malfunction: ({ malfunction }) => ({ malfunction }),
  profile: ({ profile }) => ({ profile }),
  none: () => ({}),
}

function delayOf({ delayFrom, delayTo }: FaultDraft): unknown {
  return delayTo.trim() === ''
    ? numberIn(delayFrom)
    : { min: numberIn(delayFrom) ?? 0, max: numberIn(delayTo) }
}
