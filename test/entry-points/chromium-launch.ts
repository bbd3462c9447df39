import { existsSync } from 'node:fs'

/** The paths on Debian. Order: the faster start first. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The path of Chromium, and the arguments that keep it off the network, and the pages of a context in one process. */
export const launch = {
  executablePath: process.env['CHROMIUM'] ?? places.find((place) => existsSync(place)) ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--renderer-process-limit=1',
  ],
}
