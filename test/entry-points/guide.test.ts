import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

import { importPacked } from '../packed.ts'
import { expectRefusal, serve } from '../sandbox/control-support.ts'
import { expectProblem, openSandbox } from '../support.ts'
import { launchChromium, opened, watched } from './chromium.ts'

/** The names of the pages in `docs`. */
const names = readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []))

/** Starts a server of the packed package for the duration of the test. */
async function started() {
  const { startSandbox } = await importPacked('workspace-sandbox/node')
  const running = await startSandbox({ size: 3, port: 0 })
  onTestFinished(() => running.close())
  return running
}

const readTitle = (name: string): string =>
  /^# (.*)$/m.exec(readFileSync(`docs/${name}.md`, 'utf8'))?.[1] ?? ''

it('has every page of the guide as complete HTML, whose links and anchors exist', async () => {
  const { url } = await started()
  const pages = new Map<string, string>()
  for (const name of names) {
    const response = await fetch(`${url}/docs/${name}`)
    expect(response.status, `for ${name}`).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    pages.set(name, await response.text())
  }
  for (const [name, html] of pages) {
    expect(html).toContain(`<title>${readTitle(name).replaceAll('&', '&amp;')} · workspace-sandbox</title>`)
    const links = Array.from(html.matchAll(/<a [^>]*?href="([^"]*)"/g), ([, href = '']) => href).filter(
      (href) => href !== '/docs/control',
    )
    const broken = links.filter((href) => {
      const [, path, anchor] = /^(?:\/docs\/([\w-]+))?(?:#(.*))?$/.exec(href) ?? []
      const target = pages.get(path ?? name)
      if (path === undefined && anchor === undefined) return !/^(?:\/(?:docs|_sandbox)|https?:)/.test(href)
      return !target || (anchor !== undefined && !target.includes(` id="${anchor}"`))
    })
    expect(broken, `in ${name}`).toEqual([])
    for (const other of names) expect(html).toContain(`href="/docs/${other}"`)
  }
})

it('finds a heading with the keyboard alone, and loads nothing from elsewhere', async () => {
  const { url } = await started()
  const { page, requests, errors } = await opened(`${url}/docs/benchmarks`, 'h1')
  await page.keyboard.press('/')
  await page.keyboard.type('goals that are mis')
  const options = page.getByRole('option')
  await options.first().waitFor()
  expect(await options.first().textContent()).toMatch(/^Benchmarks › Goals that are missed/)
  expect(await options.first().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowUp')
  expect(await options.last().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/docs/benchmarks#goals-that-are-missed`)
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect.poll(() => options.count()).toBe(0)
  expect(
    requests.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:')),
  ).toEqual([])
  expect(errors).toEqual([])
})

it.each([
  ['listCustomers', /^API reference › listCustomers/, '/docs#listCustomers'],
  ['minStartDate', /^API reference › listCustomerMeetings/, '/docs#listCustomerMeetings'],
  ['setClock', /^Control plane reference › setClock/, '/docs/control#setClock'],
  ['inProgress', /^API reference › \w+Signal/, undefined],
  ['scope', /^Getting started › Scopes/, undefined],
  ['scope', /^API reference › listCustomers/, '/docs#listCustomers'],
])('finds %s as %s', async (text, expected, address) => {
  const { url } = await started()
  const { page } = await opened(`${url}/docs/benchmarks`, 'h1')
  await page.getByRole('combobox').fill(text)
  const option = page.getByRole('option', { name: expected }).first()
  await option.waitFor()
  if (address === undefined) return
  await option.click()
  await page.waitForURL(url + address)
  await page.locator('.operation').first().waitFor()
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0)
})

it('lists the pages for coding agents in llms.txt, and serves them as Markdown', async () => {
  const { url } = await started()
  const index = await (await fetch(`${url}/llms.txt`)).text()
  const listed = Array.from(index.matchAll(/\]\((.*?)\)/g), ([, address = '']) => address)
  expect(listed.toSorted()).toEqual(names.map((name) => `${url}/docs/${name}.md`).toSorted())
  for (const address of listed) {
    const response = await fetch(address)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const text = await response.text()
    expect(text).toMatch(/^# /)
    expect(text.replaceAll(/^ *```.*?^ *```/gms, '')).not.toMatch(/<!--|\]\(\.\./)
  }
})

it('says so if a search finds nothing', async () => {
  const { url } = await started()
  const { page } = await opened(`${url}/docs/benchmarks`, 'h1')
  await page.getByRole('combobox').fill('zzzzqqqq')
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found for “zzzzqqqq”.')
})

it('copies a code block', async () => {
  const { url } = await started()
  const context = await (
    await launchChromium()
  ).newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${url}/docs/benchmarks`)
  const block = page.locator('figure.code').first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await block.locator('code').textContent(),
  )
})

it('names the server that shows it in its examples', async () => {
  const { url } = await started()
  for (const path of ['/docs/clock', '/docs/clock.md']) {
    const text = await (await fetch(url + path)).text()
    expect(text).toContain(`${url}/_sandbox/clock`)
    expect(text).not.toContain(':4500/')
  }
})

it('keeps the session in the links between its pages, the reference and the console', async () => {
  const { url } = await started()
  for (const path of ['/docs/benchmarks', '/docs']) {
    const { page } = await opened(`${url}${path}?session=s1`, '.bar')
    const hrefs = (): Promise<(string | null)[]> =>
      page
        .locator('.bar nav a, .pages a:not([href^="#"])')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    await expect.poll(async () => (await hrefs()).filter((href) => !href?.includes('session=s1'))).toEqual([])
    expect(await hrefs()).toEqual(
      expect.arrayContaining(['/_sandbox?session=s1', '/docs/control?session=s1']),
    )
  }
})

it('helps with an unknown page, and serves no other files', async () => {
  const { ask } = await serve()
  const html = await ask('/docs/bench', { headers: { accept: 'text/html' } })
  expect(html.status).toBe(404)
  expect(html.body).toContain('<a href="/docs/benchmarks">Benchmarks</a>')
  expect(expectRefusal(await ask('/docs/bench'), 'not_found').detail).toMatch(/no page bench\b.*\/docs/)
  for (const path of ['index', '404', '..%2fconsole%2findex', 'licenses.md', 'LICENSE']) {
    expect((await ask(`/docs/${path}`)).status, `for ${path}`).not.toBe(200)
  }
})

it('explains how to get a page if it was not built', async () => {
  const sandbox = await openSandbox()
  const response = await sandbox.fetch(new Request('http://sandbox/docs/benchmarks'))
  expect((await expectProblem(response, 'not_found')).detail).toContain('startSandbox')
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Lists what axe finds wrong on a page: the rule, and the elements. */
async function findViolations(page: Page): Promise<readonly string[][]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    "axe.run({ resultTypes: ['violations'] })",
  )
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

const windows = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

// Both references have the same parts, each with thousands of elements, so that axe looks at each once.
it.each<[path: string, content: string, scanned: readonly string[]]>([
  ['/docs/benchmarks', 'h1', ['light', 'dark']],
  ['/docs', '.operation', ['light']],
  ['/docs/control', '.operation', ['dark']],
])('%s is accessible and fits a wide light and a narrow dark window', async (path, content, scanned) => {
  const { url } = await started()
  const context = await (await launchChromium()).newContext({ bypassCSP: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const { errors } = watched(page)
  await page.addInitScript(`shift = 0; new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value
  }).observe({ type: 'layout-shift', buffered: true })`)
  for (const { width, colorScheme } of windows) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(url + path)
    await page.locator(content).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('bench')
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await page.evaluate('shift')).toBeLessThanOrEqual(0.1)
    const violations = scanned.includes(colorScheme) ? await findViolations(page) : []
    expect(violations).toEqual([])
  }
  expect(errors).toEqual([])
})
