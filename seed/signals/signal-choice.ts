import { invalidField } from '../../src/core/errors.ts'
import { getOrCreate } from '../../src/core/maps.ts'
import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime, type Period } from '../calendar/calendar.ts'
import { DAY, HOUR } from '../calendar/time.ts'
import type { Account } from '../customers/account.ts'
import { findPeriod } from '../customers/history.ts'
import { getSlot } from '../dataset/ids.ts'
import type { RowContext } from '../dataset/tenant.ts'
import { findWorkplace } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import { chooseCreation } from './signal-course.ts'
import {
  findSubject,
  fitsMoment,
  hasDetails,
  hasLookups,
  listSubjects,
  rewindAccount,
  stories,
  type Moment,
  type Story,
} from './signal-stories.ts'

type Signal = Row<'signals'>

/** The times that are tried until one fits a story: near a renewal, in the slot's part of the period, and anywhere. */
const ATTEMPTS = { notice: 3, part: 4, all: 12 } as const

/** How often a signal repeats the one before, how much later at most, and when it is dismissed at the latest. */
export const REPETITION = { likelihood: 0.05, within: 6 * DAY, until: 7 * DAY } as const

export function chooseRepeated(id: number, fields: Partial<Signal>, { account, key, tenant }: RowContext) {
  const isRepeated = (of: RecordKey, slot: number): boolean =>
    slot > 1 && of.faker('repeated').datatype.boolean(REPETITION.likelihood)
  if (Object.keys(fields).length > 0 || !isRepeated(key, getSlot(id))) return undefined
  const originalKey = new RecordKey(tenant.seed, 'signals', id - 1)
  if (isRepeated(originalKey, getSlot(id - 1))) return undefined
  const original = chooseStoryAndTime(id - 1, fields, { account, key: originalKey, tenant })
  // The number of days to a renewal is out of date some days later.
  if (original.story.kind.about === 'renewing') return undefined
  const author = chooseAuthor(fields, { account, key, tenant })
  const timeMs = chooseWorkingTime(key.faker('repetition'), {
    fromMs: original.moment.timeMs + HOUR,
    toMs: original.moment.timeMs + REPETITION.within,
    workplace: findWorkplace(author),
  })
  if (timeMs <= original.moment.timeMs || timeMs > tenant.nowMs - REPETITION.until) return undefined
  return { ...original, moment: { ...original.moment, timeMs }, author, originalMs: original.moment.timeMs }
}

/** The days before a renewal in which somebody raises it, and those within which a renewal is near. */
const NOTICE = { first: 110 * DAY, last: 12 * DAY, near: 62 * DAY } as const

/** Finds the period in which the first signal of a customer must be about a renewal that is near; undefined without one. */
function findNotice(id: number, { account, tenant: { nowMs } }: RowContext): Period | undefined {
  if (getSlot(id) !== 1) return undefined
  const renewals = account.products.filter(
    ({ entry, renewalMs }) => entry.status === 'active' && renewalMs < nowMs + NOTICE.near,
  )
  const [renewalMs] = renewals.map((product) => product.renewalMs).toSorted((a, b) => a - b)
  if (renewalMs === undefined) return undefined
  return { fromMs: renewalMs - NOTICE.first, toMs: Math.min(nowMs - HOUR, renewalMs - NOTICE.last) }
}

export function chooseStoryAndTime(id: number, fields: Partial<Signal>, context: RowContext) {
  const { account, key, tenant } = context
  const author = chooseAuthor(fields, context)
  const period = findPeriod(account.customer, tenant.nowMs, tenant.seed)
  const notice = Object.keys(fields).length === 0 ? findNotice(id, context) : undefined
  // A given time is the same in each attempt.
  const attempts = fields.createdDate === undefined ? ATTEMPTS.all : 1
  let moment: Moment | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isNotice = notice !== undefined && attempt < ATTEMPTS.notice
    const timeMs = chooseCreation(
      fields,
      {
        ...(isNotice ? notice : period),
        nowMs: tenant.nowMs,
        author,
        part: isNotice || attempt >= ATTEMPTS.part ? undefined : account.spread(getSlot(id) + 0.33),
      },
      key.faker(`created ${attempt}`),
    )
    moment = rewindAccount(account, timeMs, tenant.seed)
    const choice = chooseStory(id, fields, moment, context, isNotice)
    if (choice) return { moment, author, ...choice }
  }
  const story = stories.find((candidate) => hasLookups(candidate, fields)) ?? stories[0]
  const product =
    account.catalog.products.find(({ row }) => row.id === fields.productId) ?? account.catalog.products[0]
  if (moment && story && product) return { moment, author, story, subject: findSubject(product, moment) }
  throw invalidField('productId', 'is required, because there is no product')
}

function chooseAuthor(fields: Partial<Signal>, { account, key, tenant }: RowContext): Row<'members'> {
  const { owner, seller, team } = account
  const named = fields.createdById === undefined ? undefined : tenant.data.get('members', fields.createdById)
  return named ?? key.faker('author').helpers.arrayElement([owner, owner, seller, ...team])
}

const storiesByAccount = new WeakMap<Account, readonly Story[]>()

const shuffleStories = (account: Account, seed: number): readonly Story[] =>
  getOrCreate(storiesByAccount, account, () =>
    new RecordKey(seed, 'signal stories', account.customer.id).faker('order').helpers.shuffle(stories),
  )

function chooseStory(
  id: number,
  fields: Partial<Signal>,
  moment: Moment,
  { account, key, tenant }: RowContext,
  isNotice = false,
) {
  const products = account.catalog.products.filter(
    ({ row }) => fields.productId === undefined || row.id === fields.productId,
  )
  const subjects = products.map((product) => findSubject(product, moment))
  const options = shuffleStories(account, tenant.seed).filter(
    (story) =>
      hasLookups(story, fields) &&
      (!isNotice || story.kind.about === 'renewing') &&
      fitsMoment(story, moment, subjects),
  )
  const detailed = options.filter((story) => hasDetails(story, fields))
  const best = detailed.length > 0 ? detailed : options
  const story = best[(getSlot(id) - 1) % best.length]
  return (
    story && {
      story,
      subject: key.faker('product').helpers.arrayElement(listSubjects(story, moment, subjects)),
    }
  )
}
