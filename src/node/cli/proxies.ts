/** This machine, as different programs write it. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]']

/** Returns the variables that keep calls of this machine, and of a host, away from the proxy of the environment. */
export function bypassProxy(host: string): Record<'NO_PROXY' | 'no_proxy', string> {
  const { NO_PROXY: upper, no_proxy: lower } = process.env
  const append = (before = ''): string => {
    const names = before.split(/[\s,]+/).filter(Boolean)
    return names.includes('*') ? before : [...new Set([...names, ...LOOPBACK, host])].join(',')
  }
  return { NO_PROXY: append(upper ?? lower), no_proxy: append(lower ?? upper) }
}
