const MASK = '***'
const TOKEN = /sbx_[\w.~-]+/g
const SCHEME = /^(Bearer|Basic|Digest) +\S/i
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])

/** A text without the tokens in it. */
export function maskedText(text: string): string {
  return text.includes('sbx_') ? text.replaceAll(TOKEN, MASK) : text
}

/** A header's value without secrets: of an authorization its scheme is left, of cookies nothing. */
export function maskedHeader(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name.toLowerCase())) return maskedText(value)
  const scheme = name.toLowerCase().endsWith('authorization') ? SCHEME.exec(value)?.[1] : undefined
  return scheme === undefined ? MASK : `${scheme} ${MASK}`
}
