import type { SimpleFaker } from '@faker-js/faker'

import { invalidField } from '../../src/core/errors.ts'
import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime, previousWorkingTime } from '../calendar/calendar.ts'
import { DAY, HOUR, formatInstant } from '../calendar/time.ts'
import type { Account } from '../customers/account.ts'
import { RENEWAL_DAYS, findPeriod, rewindCustomer } from '../customers/history.ts'
import { getStage } from '../customers/stages.ts'
import { listEarlierRows } from '../dataset/generated-ids.ts'
import { getSlot } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { findWorkplace } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'

type Content = Row<'briefContents'>
type Brief = Row<'briefs'>

export function generateBriefContent(id: number, fields: Partial<Content>, tenant: Tenant): Content {
  const account = tenant.findAccount(id, fields.customerId)
  const { customer, catalog } = account
  if (catalog.briefs.length === 0) throw invalidField('briefId', 'is required, because there is no brief')
  const key = new RecordKey(tenant.seed, 'briefContents', id)
  const createdMs = fields.createdDate
    ? Date.parse(fields.createdDate)
    : chooseTime(account, getSlot(id), key.faker('created'), tenant)
  const moment = { account, customer: rewindCustomer(customer, createdMs, tenant.seed), createdMs, tenant }
  return {
    id,
    organizationId: customer.organizationId,
    customerId: customer.id,
    briefId: chooseBrief(catalog.briefs, moment, key.faker('brief')).id,
    createdDate: formatInstant(createdMs),
  }
}

function chooseTime(account: Account, slot: number, faker: SimpleFaker, tenant: Tenant): number {
  const { nowMs } = tenant
  const workplace = findWorkplace(account.owner)
  const isForMeeting = faker.datatype.boolean(0.35)
  const leadMs = faker.number.int({ min: 2 * HOUR, max: 26 * HOUR })
  const times = listEarlierRows('meetings', account.customer, tenant).flatMap(
    ({ startDate, createdDate }) => {
      const timeMs = previousWorkingTime(Date.parse(startDate) - leadMs, workplace)
      return timeMs <= nowMs && timeMs >= Date.parse(createdDate) ? [timeMs] : []
    },
  )
  const [meetingMs] = times.slice(slot - 1)
  if (isForMeeting && meetingMs !== undefined) return meetingMs
  return chooseWorkingTime(faker, { workplace, ...findPeriod(account.customer, nowMs, tenant.seed) })
}

interface Moment {
  readonly account: Account
  readonly customer: Row<'customers'>
  readonly createdMs: number
  readonly tenant: Tenant
}

/** The minimum age of contents of a brief that is no longer written. */
const RETIRED_BRIEF = 240 * DAY

function chooseBrief(briefs: readonly Brief[], moment: Moment, faker: SimpleFaker): Brief {
  const weights = briefs.map((brief) => {
    const isWritten = brief.isActive || moment.createdMs < moment.tenant.nowMs - RETIRED_BRIEF
    return { weight: isWritten ? weigh(brief, moment) : 0, value: brief }
  })
  const possible = weights.filter(({ weight }) => weight > 0)
  return faker.helpers.weightedArrayElement(
    possible.length > 0 ? possible : weights.map(({ value }) => ({ weight: 1, value })),
  )
}

const HANDOVER_DAYS = 120

function weigh({ key }: Brief, { account, customer, createdMs, tenant }: Moment): number {
  const stage = getStage(customer)
  const isCustomer = stage !== 'prospect' && stage !== 'churned'
  switch (key) {
    case 'accountSummary':
      return 4
    case 'renewalPreparation': {
      const renewals = customer.products.filter(({ status }) => status !== 'churned')
      const days = renewals.map(({ renewalDate }) => (Date.parse(renewalDate) - createdMs) / DAY)
      return days.some((left) => left > 0 && left < RENEWAL_DAYS) ? 5 : 0
    }
    case 'meetingPreparation':
      return isBeforeMeeting(account, createdMs, tenant) ? 30 : 0
    case 'riskReview':
      return isCustomer ? (stage === 'atRisk' ? 5 : 2) : 0
    case 'onboardingHandover': {
      const startMs = Math.min(...account.products.map((product) => product.startMs))
      return isCustomer && createdMs < startMs + HANDOVER_DAYS * DAY ? 20 : 0
    }
    default:
      return isCustomer ? 3 : 1
  }
}

function isBeforeMeeting(account: Account, timeMs: number, tenant: Tenant): boolean {
  return listEarlierRows('meetings', account.customer, tenant).some(({ startDate, createdDate }) => {
    const startMs = Date.parse(startDate)
    return Date.parse(createdDate) <= timeMs && startMs > timeMs && startMs < timeMs + 4 * DAY
  })
}
