import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { InlineConfig } from 'vite'
import { inject, onTestFinished } from 'vitest'

import { folderWith } from '../folders.ts'
import { launch } from './chromium-launch.ts'

/** The scripts that a page loads. Units: bytes, gzipped. */
export interface Sizes {
  /** Before its script runs. */
  readonly first: number
  readonly all: number
}

/** A script, bundled for the browser, behind a server. */
export interface Bundled {
  readonly url: string
  readonly sizes: Sizes
}

/** A page with its requests and errors. */
export interface Opened {
  readonly page: Page
  readonly requests: readonly string[]
  readonly errors: readonly string[]
}

let launched: Promise<Browser> | undefined

/** Starts Chromium once for all tests of this process, with which it ends. */
export const launchChromium = (): Promise<Browser> => (launched ??= chromium.launch(launch))

const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'

/** Bundles a script that uses the packed package, and serves it with other files during the test. */
export async function bundled(
  script: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Bundled> {
  const root = mkdtempSync(join(inject('consumer'), 'page-'))
  folderWith({ 'index.html': html, 'page.js': script }, root)
  mkdirSync(join(root, 'public'))
  folderWith(files, join(root, 'public'))
  const config: InlineConfig = { root, configFile: false, logLevel: 'error', build: { target: 'es2022' } }
  // Tests of the console, which bundle nothing, do without Vite.
  const { build, preview } = await import('vite')
  await build(config)
  const server = await preview({ ...config, preview: { port: 0 } })
  onTestFinished(() => server.close())
  const bound = server.httpServer.address()
  const port = typeof bound === 'object' ? bound?.port : ''
  return { url: `http://localhost:${port}/`, sizes: sizesIn(join(root, 'dist')) }
}

/** MSW's service worker. */
export function serviceWorker(): Record<string, string> {
  const path = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
  return { 'mockServiceWorker.js': readFileSync(path, 'utf8') }
}

function sizesIn(folder: string): Sizes {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const files = readdirSync(join(folder, 'assets')).map((name) => ({
    isFirst: page.includes(name),
    size: gzipSync(readFileSync(join(folder, 'assets', name))).length,
  }))
  const sum = (these: typeof files): number => these.reduce((total, { size }) => total + size, 0)
  return { first: sum(files.filter(({ isFirst }) => isFirst)), all: sum(files) }
}

/** Opens a page in a context of its own, which is closed after the test, with time for a busy machine. */
export async function openPage(options?: BrowserContextOptions): Promise<Page> {
  const page = await (await launchChromium()).newPage(options)
  onTestFinished(() => page.close())
  page.setDefaultTimeout(60_000)
  return page
}

/** Opens a page, and waits for an element, or for its script to set `window.ready`. */
export async function opened(url: string, element?: string): Promise<Opened> {
  const page = await openPage()
  const seen = watched(page)
  await page.goto(url)
  await (element === undefined ? page.waitForFunction('window.ready') : page.waitForSelector(element))
  return seen
}

/** Records the requests and errors of a page from now on. */
export function watched(page: Page): Opened {
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return { page, requests, errors }
}
