import { session } from '../place.ts'

/** Where applications call the service: in the page's session where undefined, behind whichever origin the page is. */
export function baseUrl(id: string | undefined = session.value): string {
  const prefix = id === undefined ? '' : `/_sandbox/sessions/${encodeURIComponent(id)}`
  return `${location.origin}${prefix}/v1`
}
