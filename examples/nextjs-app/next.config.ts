import type { NextConfig } from 'next'

const config: NextConfig = {
  // Must not be bundled: it reads the console's files from its own folder.
  serverExternalPackages: ['workspace-sandbox'],
  // Without this, Next.js picks a parent folder that has a lockfile.
  turbopack: { root: import.meta.dirname },
}

export default config
