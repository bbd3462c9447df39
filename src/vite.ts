import { resolve } from 'node:path'

import type { Connect, Plugin, PreviewServer, ViteDevServer } from 'vite'

import type { OpenSandbox } from './sandbox.ts'
import { authority, reachable } from './server/addresses.ts'
import { openForServer } from './server/open.ts'
import { parsedStartOptions, SandboxOptions } from './server/options.ts'
import { requestListener } from './server/request-listener.ts'

export type { SandboxOptions } from './server/options.ts'

/** The paths that the sandbox answers; Vite has all others. */
const OWN = /^\/(?:v1|_sandbox|docs|openapi\.json)(?:[/?]|$)/

/** The sandbox behind a server. */
interface Served {
  sandbox: OpenSandbox
  /** Opens it once more, over what it was opened over. */
  readonly open: () => Promise<OpenSandbox>
}

/** What keeps its data in a folder and has not ended, by Vite's root and the folder. */
const holders = new Map<string, Served>()

/**
 * A Vite plugin that serves the sandbox from the dev server, and from `vite preview`: the page asks `/v1` of its own
 * origin. It keeps its data in the folder `data`, relative to Vite's root, or nowhere. It ends with the server, and does
 * nothing where Vite serves Vitest.
 * Errors: as startSandbox, when the server starts.
 */
export function workspaceSandbox(options: SandboxOptions = {}): Plugin {
  /** Order: as begun. There are two while Vite makes a server anew, because it begins the next before it ends one. */
  const begun: Served[] = []
  return {
    name: 'workspace-sandbox',
    apply: (_config, { command, isPreview }) => command === 'serve' || isPreview === true,
    configureServer: async (server) => {
      if (server.config.plugins.some(({ name }) => name === 'vitest')) return
      begun.push(await attach(server, server.config.server.host, options))
    },
    buildEnd: () => end(begun.shift()),
    configurePreviewServer: async (server) => {
      const served = await attach(server, server.config.preview.host, options)
      server.httpServer.once('close', () => void end(served))
    },
  }
}

/** Opens a sandbox and puts it in front of a server. */
async function attach(
  server: ViteDevServer | PreviewServer,
  host: string | boolean | undefined,
  options: SandboxOptions,
): Promise<Served> {
  const { data, ...rest } = parsedStartOptions(SandboxOptions, options)
  const { config, httpServer, middlewares } = server
  const folder = data === undefined ? undefined : resolve(config.root, data)
  const place = folder === undefined ? rest : { ...rest, data: folder }
  const open = async (): Promise<OpenSandbox> => {
    const { sandbox, announce } = await openForServer(place, host === true ? '0.0.0.0' : host || undefined)
    if (httpServer?.listening) announce(addressOf(server))
    else httpServer?.once('listening', () => announce(addressOf(server)))
    return sandbox
  }
  const served = { sandbox: await openInstead(holders.get(`${config.root}\n${folder}`), open), open }
  if (folder !== undefined) holders.set(`${config.root}\n${folder}`, served)
  // In front of Vite's own, which would answer preflights, and refuse hosts that may use the service.
  middlewares.stack.unshift({ route: '', handle: middleware(served) })
  return served
}

/** Opens a sandbox over the folder that a server has which is to be replaced; where that fails, the server keeps it. */
async function openInstead(before: Served | undefined, open: Served['open']): Promise<OpenSandbox> {
  await before?.sandbox.close()
  try {
    return await open()
  } catch (error) {
    if (before) before.sandbox = await before.open()
    throw error
  }
}

async function end(served: Served | undefined): Promise<void> {
  for (const [holding, holder] of holders) if (holder === served) holders.delete(holding)
  await served?.sandbox.close()
}

function middleware(served: Served): Connect.NextHandleFunction {
  const listener = requestListener(() => served.sandbox.app)
  return (incoming, outgoing, next) => {
    if (OWN.test(incoming.url ?? '')) void listener(incoming, outgoing)
    else next()
  }
}

function addressOf({ httpServer, config }: ViteDevServer | PreviewServer): string {
  const bound = httpServer?.address()
  const { address, port } = typeof bound === 'object' && bound ? bound : { address: 'localhost', port: 0 }
  return `${config.server.https ? 'https' : 'http'}://${authority(reachable(address), port)}`
}
