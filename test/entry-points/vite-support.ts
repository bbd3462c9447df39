import { createServer, type InlineConfig, type Plugin, type ViteDevServer } from 'vite'
import { onTestFinished } from 'vitest'

import { workspaceSandbox, type SandboxOptions } from '../../src/vite.ts'
import { folderWith } from '../folders.ts'
import { tokens } from '../support.ts'

export const mara = { authorization: `Bearer ${tokens.mara}` }

/** Creates a folder with a page. */
export const page = (): string => folderWith({ 'index.html': '<!doctype html><title>The page</title>' })

export const quiet: InlineConfig = { configFile: false, logLevel: 'silent', clearScreen: false }

/** Starts a dev server with a small sandbox for the duration of the test. */
export async function served(
  options: SandboxOptions = {},
  config: InlineConfig = {},
): Promise<ViteDevServer> {
  const plugins: Plugin[] = [workspaceSandbox({ size: 'small', ...options })]
  const server = await createServer({ ...quiet, root: page(), plugins, ...config })
  onTestFinished(() => server.close())
  if (!server.config.server.middlewareMode) await server.listen(0)
  return server
}

/** Reads the URL of a server. */
export function addressOf({ httpServer }: Pick<ViteDevServer, 'httpServer'>): string {
  const bound = httpServer?.address()
  return `http://localhost:${typeof bound === 'object' ? bound?.port : ''}`
}

/** Reads the base URL of the service of a server. */
export const serviceOf = (server: ViteDevServer): string => `${addressOf(server)}/v1`
