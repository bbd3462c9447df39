import type { NextConfig } from 'next'

const config: NextConfig = {
  // Reads its console's files from its own folder, so it must not be bundled.
  serverExternalPackages: ['workspace-sandbox'],
  // This folder, even if a folder above has a lockfile, too.
  turbopack: { root: import.meta.dirname },
}

export default config
