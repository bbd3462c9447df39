import type { Settings } from '../contract/choices.ts'
import { ResponseBody } from '../core/response.ts'
import { fromSystemTime, toSystemTime } from '../core/system-clock.ts'
import { endpoints } from '../resources/index.ts'
import { Entry } from './entry.ts'

/** An entry without its bodies. Its settings are undefined if they are those of the session. */
export type SavedEntry = ReturnType<typeof saveEntry>

export function saveEntry(entry: Entry, settings: Settings) {
  const { id, time, method, url, headers, credential, status, durationMs, caller, response } = entry
  const { faultId, isFaultResponse, scenarios, warnings, hasBodies } = entry
  return {
    id,
    time,
    method,
    url,
    headers,
    credential,
    status,
    durationMs,
    caller,
    response,
    faultId,
    isFaultResponse,
    scenarios,
    warnings,
    hasBodies,
    operationId: entry.endpoint?.id,
    startedAt: toSystemTime(entry.startedMs),
    settings: entry.settings === settings ? undefined : entry.settings,
  }
}

export function loadEntry(
  saved: SavedEntry,
  settings: Settings,
  requestBody: Uint8Array | undefined,
  responseBody: Uint8Array<ArrayBuffer> | undefined,
): Entry {
  const { id, time, operationId, startedAt, status, durationMs, caller, response } = saved
  const endpoint = endpoints.find((one) => one.id === operationId)
  const startedMs = fromSystemTime(startedAt)
  const entry = new Entry(id, time, saved, endpoint, startedMs, saved.settings ?? settings)
  const { faultId, isFaultResponse, scenarios, warnings, hasBodies } = saved
  Object.assign(entry, { faultId, isFaultResponse, scenarios, warnings })
  entry.complete(
    {
      caller,
      response,
      requestBody,
      status: status === 'pending' ? 'aborted' : status,
      responseBody: responseBody && ResponseBody.of(responseBody),
    },
    durationMs ?? 0,
  )
  if (!hasBodies) entry.dropBodies()
  return entry
}
