import type { Row } from '../../src/store/tables.ts'
import { DAY } from '../calendar/time.ts'
import { readText } from '../dataset/customer-rows.ts'

export type Stage = 'prospect' | 'onboarding' | 'growing' | 'steady' | 'atRisk' | 'churned'

export function getStage({ products }: Pick<Row<'customers'>, 'products'>): Stage {
  if (products.length === 0) return 'prospect'
  const active = products.filter((product) => product.status === 'active')
  if (active.length === 0)
    return products.some(({ status }) => status === 'onboarding') ? 'onboarding' : 'churned'
  const levels = new Set(active.map((product) => product.engagement.level))
  if (levels.has('low')) return 'atRisk'
  return levels.has('high') ? 'growing' : 'steady'
}

/** The longest time from a signature to the start of the contract, in which nobody sells any more. */
export const SIGNED = 30 * DAY

export function hasSigned(customer: Pick<Row<'customers'>, 'customFields'>, timeMs: number): boolean {
  const signed = readText(customer, 'contractSigned')
  return signed !== undefined && Date.parse(signed) <= timeMs
}

const LEGAL_FORM =
  /,? (?:Inc\.|LLC|Corp\.|Ltd\.?|plc|S\.A\. de C\.V\.|Ltda\.|DAC|GmbH|AG|SE|SAS|SA|S\.[AL]\.|[BN]\.V\.|AB|Sp\. z o\.o\.|S\.p\.A\.|S\.r\.l\.|(?:Pvt|Pty|\(Pty\)) Ltd|K\.K\.)$/

export const removeLegalForm = (name: string): string => name.replace(LEGAL_FORM, '')
