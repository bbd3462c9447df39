/** The slots of the templates in each file of texts that has some. */
export const slots = {
  briefs: [...(['customer', 'city', 'country', 'segment', 'employees', 'product', 'weak'] as const)],
  companies: ['surname', 'activity'],
  logs: [
    ...(['automation', 'ms', 'quarter', 'due', 'customer', 'city', 'region', 'owner', 'score'] as const),
    ...(['product', 'renewal', 'days', 'signal', 'severity', 'category'] as const),
  ],
  meetings: [
    ...(['customer', 'product', 'users', 'purpose', 'wish', 'trouble', 'contact', 'other', 'host'] as const),
    ...(['system', 'percent', 'discount', 'count', 'testers', 'active', 'hours', 'weeks', 'day'] as const),
    ...(['month', 'quarter', 'lastQuarter', 'session', 'guest'] as const),
  ],
  notes: [
    ...([
      'customer',
      'city',
      'contact',
      'contactFirst',
      'title',
      'other',
      'otherFirst',
      'colleague',
    ] as const),
    ...(['product', 'users', 'purpose', 'activity', 'wish', 'trouble', 'price', 'renewal', 'total'] as const),
    ...([
      'percent',
      'discount',
      'uplift',
      'score',
      'count',
      'weeks',
      'weekday',
      'month',
      'lastMonth',
    ] as const),
  ],
  signals: [
    ...(['customer', 'product', 'activity', 'users', 'purpose', 'wish', 'trouble', 'money', 'day'] as const),
    ...(['contact', 'title', 'other', 'leaver', 'owner', 'competitor', 'percent', 'discount'] as const),
    ...(['rating', 'weeks', 'high', 'low', 'seats', 'active', 'extra', 'month', 'coming', 'soon'] as const),
    ...(['renewal', 'days', 'overdue', 'gone', 'summary'] as const),
  ],
  transcripts: [
    ...(['customer', 'city', 'host', 'guest', 'other', 'colleague', 'colleague2', 'product'] as const),
    ...(['users', 'activity', 'wish', 'trouble', 'metric', 'value', 'signal', 'date', 'renewal'] as const),
    ...(['goal', 'month', 'lastMonth', 'weekday', 'weeks', 'count', 'more', 'evenMore', 'few'] as const),
    ...(['tens', 'hour', 'before', 'label', 'earlier', 'greeting', 'subject', 'person'] as const),
  ],
} as const

export type Slot<F extends keyof typeof slots> = (typeof slots)[F][number]
