import { resolve } from 'node:path'

import colors from 'picocolors'
import type { Connect, Plugin, PreviewServer, ViteDevServer } from 'vite'

import type { Bindings } from './http/env.ts'
import type { OpenSandbox } from './sandbox/sandbox.ts'
import { toAuthority } from './server/listen.ts'
import { createListener } from './server/listener.ts'
import { parseStartOptions, SandboxOptions } from './server/options.ts'
import { openForServer } from './server/start.ts'

export type { SandboxOptions } from './server/options.ts'

const SANDBOX_PATH = /^\/(?:v1|_sandbox|docs|openapi\.json)(?:[/?]|$)/

interface Served {
  sandbox: OpenSandbox
  readonly reopen: () => Promise<OpenSandbox>
}

const byFolder = new Map<string, Served>()

/**
 * Creates a Vite plugin that serves the sandbox from the dev server and from `vite preview`, so that a page calls `/v1` on
 * its own origin. It stores its data in the folder `data`, relative to Vite's root, or nowhere. It closes with the server
 * and does nothing under Vitest. Its options are validated when the server starts.
 * @example
 * export default defineConfig({ plugins: [workspaceSandbox({ size: 'small' })] })
 */
export function workspaceSandbox(options: SandboxOptions = {}): Plugin {
  /** Order: as started. A restart of Vite starts the next server before it closes the previous one. */
  const started: Served[] = []
  return {
    name: 'workspace-sandbox',
    apply: (_config, { command, isPreview }) => command === 'serve' || isPreview === true,
    configureServer: async (server) => {
      if (server.config.plugins.some(({ name }) => name === 'vitest')) return
      started.push(await attach(server, server.config.server.host, options))
    },
    buildEnd: () => close(started.shift()),
    configurePreviewServer: async (server) => {
      const served = await attach(server, server.config.preview.host, options)
      server.httpServer.once('close', () => void close(served))
    },
  }
}

async function attach(
  server: ViteDevServer | PreviewServer,
  host: string | boolean | undefined,
  options: SandboxOptions,
): Promise<Served> {
  const { data, ...rest } = parseStartOptions(SandboxOptions, options)
  const { config, httpServer, middlewares } = server
  const folder = data === undefined ? undefined : resolve(config.root, data)
  const reopen = async (): Promise<OpenSandbox> => {
    const { sandbox, announce } = await openForServer(
      folder === undefined ? rest : { ...rest, data: folder },
      host === true ? '0.0.0.0' : host || undefined,
    )
    if (httpServer?.listening) announce(formatUrl(server))
    else httpServer?.once('listening', () => announce(formatUrl(server)))
    return sandbox
  }
  printWithUrls(server)
  const key = `${config.root}\n${folder}`
  const served = { sandbox: await replace(byFolder.get(key), reopen), reopen }
  if (folder !== undefined) byFolder.set(key, served)
  // In first place, because Vite would respond to preflights and reject allowed hosts.
  middlewares.stack.unshift({ route: '', handle: createMiddleware(served) })
  return served
}

async function replace(before: Served | undefined, open: Served['reopen']): Promise<OpenSandbox> {
  await before?.sandbox.close()
  try {
    return await open()
  } catch (error) {
    if (before) before.sandbox = await before.reopen()
    throw error
  }
}

async function close(served: Served | undefined): Promise<void> {
  for (const [key, holder] of byFolder) if (holder === served) byFolder.delete(key)
  await served?.sandbox.close()
}

function createMiddleware(served: Served): Connect.NextHandleFunction {
  const handler = (request: Request, bindings: Bindings) => served.sandbox.handle(request, bindings)
  const listener = createListener(handler, { ownsProcess: false })
  return (incoming, outgoing, next) => {
    if (SANDBOX_PATH.test(incoming.url ?? '')) void listener(incoming, outgoing)
    else next()
  }
}

function printWithUrls(server: ViteDevServer | PreviewServer): void {
  const print = server.printUrls
  server.printUrls = () => {
    print.call(server)
    const { local = [], network = [] } = server.resolvedUrls ?? {}
    const [url] = [...local, ...network]
    if (url === undefined) return
    // Vite's URLs end in its base, which the sandbox does not have.
    const { protocol, hostname, port } = new URL(url)
    const authority = port === '' ? hostname : `${hostname}:${colors.bold(port)}`
    const address = colors.cyan(`${protocol}//${authority}/_sandbox`)
    server.config.logger.info(`  ${colors.green('➜')}  ${colors.bold('Sandbox')}: ${address}`)
  }
}

function formatUrl({ httpServer, config }: ViteDevServer | PreviewServer): string {
  const bound = httpServer?.address()
  const { address, port } = typeof bound === 'object' && bound ? bound : { address: 'localhost', port: 0 }
  return `${config.server.https ? 'https' : 'http'}://${toAuthority(address, port)}`
}
