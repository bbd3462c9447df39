import { existsSync } from 'node:fs'

/** Where Debian has it. Order: what starts faster first. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Where Chromium is, and how it is started so that it asks nobody for anything. */
export const launch = {
  executablePath: process.env['CHROMIUM'] ?? places.find((place) => existsSync(place)) ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
}
