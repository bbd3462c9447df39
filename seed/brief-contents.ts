import { invalidRequest } from '../src/contract/errors.ts'
import type { Row } from '../src/store/tables.ts'
import { mostlySmall } from './fakers.ts'
import { RecordKey } from './record-key.ts'
import type { Stage } from './stages.ts'
import type { Tenant } from './tenant.ts'
import { DAY, HOUR, instant } from './time.ts'

/** Briefs that do not fit a stage. Shape: keys of briefs. */
const unfitBriefs: Partial<Record<Stage, readonly string[]>> = {
  prospect: ['renewalPreparation', 'riskReview', 'onboardingHandover'],
  onboarding: ['renewalPreparation'],
  churned: ['renewalPreparation', 'onboardingHandover'],
}

/** Generates a brief that was written for a customer; its text is generated when it is read. */
export function generateBriefContent(
  id: number,
  given: Partial<Row<'briefContents'>>,
  tenant: Tenant,
): Row<'briefContents'> {
  const { customer, catalog, stage } = tenant.accountFor(id, given.customerId)
  const key = new RecordKey(tenant.seed, 'briefContents', id)
  if (catalog.briefs.length === 0) {
    throw invalidRequest([{ in: 'body', name: 'briefId', message: 'there is no brief' }])
  }
  const unfit = unfitBriefs[stage]
  const fit = catalog.briefs.filter((brief) => !unfit?.includes(brief.key))
  const choices = fit.length > 0 ? fit : catalog.briefs
  const weights = choices.map((brief) => ({ weight: brief.isActive ? 6 : 1, value: brief }))
  return {
    id,
    organizationId: customer.organizationId,
    customerId: customer.id,
    briefId: key.faker('brief').helpers.weightedArrayElement(weights).id,
    createdDate: instant(
      Math.floor(
        tenant.nowMs -
          key.faker('age').number.float({ min: 2 * HOUR, max: 240 * DAY, distributor: mostlySmall }),
      ),
    ),
  }
}
