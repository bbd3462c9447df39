import type { ScenarioDefinition } from './definition.ts'
import { dailyQuota, scopeNarrowed, tokenExpires, tokenRevoked } from './definitions/access.ts'
import { bulkUpdateTies, changeWhileReading, pageDrift, updateAtCursor } from './definitions/pages.ts'
import { childOnlyChange, deleted, memberLeaves, merged, silentChange } from './definitions/records.ts'
import { extraField, lateVisibility, newEnumValue, wrongTotal } from './definitions/responses.ts'

/** Every scenario, by its name. Order: as documented. */
export const definitions = {
  'bulk-update-ties': bulkUpdateTies,
  'update-at-cursor': updateAtCursor,
  'page-drift': pageDrift,
  'change-while-reading': changeWhileReading,
  'late-visibility': lateVisibility,
  'silent-change': silentChange,
  'child-only-change': childOnlyChange,
  deleted,
  merged,
  'member-leaves': memberLeaves,
  'new-enum-value': newEnumValue,
  'extra-field': extraField,
  'wrong-total': wrongTotal,
  'token-expires': tokenExpires,
  'token-revoked': tokenRevoked,
  'scope-narrowed': scopeNarrowed,
  'daily-quota': dailyQuota,
} as const satisfies Readonly<Record<string, ScenarioDefinition>>

export type ScenarioName = keyof typeof definitions

export const scenarioNames = Object.keys(definitions).filter(
  (name): name is ScenarioName => name in definitions,
)
