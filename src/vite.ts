import { resolve } from 'node:path'

import colors from 'picocolors'
import type { CommonServerOptions, Connect, Plugin, PreviewServer, ViteDevServer } from 'vite'

import { SandboxError } from './core/errors.ts'
import { loadOnce } from './core/import-sequentially.ts'
import type { RequestHandler } from './http/env.ts'
import { problemResponse } from './http/problem.ts'
import { createListener } from './node/server/http-server.ts'
import { toAuthority } from './node/server/listen.ts'
import { parseStartOptions, SandboxOptions } from './node/server/options.ts'
import { openForServer } from './node/server/start.ts'
import type { OpenSandbox } from './sandbox/sandbox.ts'
import { FolderInUse } from './store/disk/lock.ts'

export type { SandboxOptions } from './node/server/options.ts'

/** The paths that the sandbox takes from every application. */
const SANDBOX_PATH = /^\/(?:v1|_sandbox)(?:[/?]|$)/

/** The service's document, unless the application has a file or a page of that name. */
const DOCUMENT_PATH = /^\/openapi\.json(?:\?|$)/

/** The options with which a server of this process has each folder open. */
const openFolders = new Map<string, SandboxOptions>()

/**
 * Creates a Vite plugin that serves the sandbox from the dev server and from `vite preview`, so that a page calls `/v1` on
 * its own origin. It stores its data in the folder `data`, relative to Vite's root, or nowhere. It closes with the server
 * and does nothing under Vitest. Its options are validated when the server starts.
 * @example
 * export default defineConfig({ plugins: [workspaceSandbox({ size: 'small' })] })
 */
export function workspaceSandbox(options: SandboxOptions = {}): Plugin {
  /** By an environment of the server, since several servers may share the plugin, and each has several environments. */
  const opened = new WeakMap<object, ServedSandbox>()
  return {
    name: 'workspace-sandbox',
    apply: (_config, { command, isPreview }) => command === 'serve' || isPreview === true,
    async configureServer(server) {
      if (server.config.plugins.some(({ name }) => name === 'vitest')) return undefined
      try {
        const served = new ServedSandbox(server, server.config.server, options)
        opened.set(server.environments.client, served)
        return await served.attach()
      } catch (error) {
        // Vite would leave its watcher open, and restart twice for each change from then on.
        await server.close()
        throw error
      }
    },
    buildEnd() {
      return opened.get(this.environment)?.close()
    },
    configurePreviewServer(server) {
      const served = new ServedSandbox(server, server.config.preview, options)
      server.httpServer.once('close', () => void served.close())
      return served.attach()
    },
  }
}

/** The sandbox of one server. */
class ServedSandbox {
  readonly #server: ViteDevServer | PreviewServer
  readonly #config: CommonServerOptions
  readonly #options: SandboxOptions
  readonly #folder: string | undefined
  /** The options of the server that has the folder open: the one that this one replaces, if Vite is restarting it. */
  readonly #previousOptions: SandboxOptions | undefined
  readonly #open = loadOnce(() => this.#openNow())
  #isClosed = false

  constructor(server: ViteDevServer | PreviewServer, config: CommonServerOptions, input: SandboxOptions) {
    const { data, ...options } = parseStartOptions(SandboxOptions, input)
    this.#server = server
    this.#config = config
    this.#folder = data === undefined ? undefined : resolve(server.config.root, data)
    this.#options = { ...options, ...(this.#folder !== undefined && { data: this.#folder }) }
    this.#previousOptions = openFolders.get(this.#folder ?? '')
  }

  /** Adds the sandbox to the server. @returns a function that adds what the application has precedence over */
  async attach(): Promise<() => void> {
    const { config, httpServer, middlewares } = this.#server
    // A restart creates the next server before it closes the previous one, which has the folder until then. It may also
    // give up on the next one, which must not have taken the folder.
    if (this.#previousOptions === undefined) {
      await this.#open().catch((error: unknown) => {
        if (!(error instanceof FolderInUse)) throw error
        // Another process has the folder, and may end.
        return this.#findOpen()
      })
    } else httpServer?.once('listening', () => void this.#findOpen())
    const answer: RequestHandler = async (request, bindings) => {
      const found = await this.#findOpen()
      return found instanceof SandboxError ? problemResponse(found) : found.handle(request, bindings)
    }
    const listener = createListener(answer, { ownsProcess: false })
    // An application whose base is elsewhere cannot have the document.
    const paths = config.base === '/' ? [SANDBOX_PATH] : [SANDBOX_PATH, DOCUMENT_PATH]
    const handle: Connect.NextHandleFunction = (incoming, outgoing, next) =>
      paths.some((path) => path.test(incoming.url ?? '')) ? void listener(incoming, outgoing) : next()
    // In first place, because Vite would respond to preflights and reject allowed hosts.
    middlewares.stack.unshift({ route: '', handle })
    printWithUrls(this.#server)
    return () => {
      middlewares.use((incoming, outgoing, next) => {
        if (!DOCUMENT_PATH.test(incoming.originalUrl ?? '')) return next()
        // Vite has replaced it by that of its page.
        incoming.url = incoming.originalUrl
        return void listener(incoming, outgoing)
      })
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // If it is not open, it cannot be opened any more.
    const sandbox = await this.#open().catch(() => undefined)
    if (!sandbox) return
    await sandbox.close()
    if (this.#folder !== undefined) openFolders.delete(this.#folder)
  }

  /** Opens the sandbox if it is not open; reports why it cannot, and returns the error for clients. */
  #findOpen(): Promise<OpenSandbox | SandboxError> {
    return this.#open().catch((error: unknown) => {
      this.#server.config.logger.warnOnce(`workspace-sandbox cannot open: ${formatReason(error)}`)
      const fact =
        error instanceof FolderInUse
          ? `cannot use its data folder: ${error.fact}. It opens once that server has closed.`
          : 'is not open. The output of Vite says why.'
      return new SandboxError('storage_unavailable', `The sandbox of this server ${fact}`)
    })
  }

  async #openNow(): Promise<OpenSandbox> {
    if (this.#isClosed) throw new Error('The server is closed.')
    const { httpServer, config } = this.#server
    const { host, https } = this.#config
    const name = host === true ? '0.0.0.0' : host || undefined
    let used = this.#options
    let opened
    try {
      opened = await openForServer(used, name)
    } catch (error) {
      // Vite, too, goes on with its previous server if it cannot restart.
      const previous = this.#previousOptions
      if (previous === undefined) throw error
      opened = await openForServer(previous, name).catch(() => Promise.reject(error))
      used = previous
      config.logger.error(`workspace-sandbox goes on with its previous options: ${formatReason(error)}`)
    }
    const { sandbox, announce } = opened
    if (this.#folder !== undefined) openFolders.set(this.#folder, used)
    for (const warning of sandbox.state.warnings) config.logger.warn(warning)
    const announceUrl = () => announce(`${https ? 'https' : 'http'}://${readAuthority(this.#server)}`)
    if (httpServer?.listening) announceUrl()
    else httpServer?.once('listening', announceUrl)
    return sandbox
  }
}

const formatReason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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

function readAuthority({ httpServer }: ViteDevServer | PreviewServer): string {
  const bound = httpServer?.address()
  const { address, port } = typeof bound === 'object' && bound ? bound : { address: 'localhost', port: 0 }
  return toAuthority(address, port)
}
