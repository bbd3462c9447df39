import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import MiniSearch, { type Options } from 'minisearch'
import { expect, inject, it, onTestFinished } from 'vitest'

import {
  controlExamples,
  createFresh,
  runExample,
  type Step,
} from '../../docs/.vitepress/control-examples.ts'
import { shorten } from '../../docs/.vitepress/reference.ts'
import { searchOptions } from '../../docs/.vitepress/search.ts'
import { createSandbox } from '../../src/index.ts'
import { endpoints } from '../../src/service/index.ts'
import { expectAccessible, expectSoon } from '../console/support.ts'
import { importPacked } from '../packed.ts'
import { opened } from './chromium.ts'

/** The built documentation in the packed package. */
const folder = () => join(inject('consumer'), 'node_modules/workspace-sandbox/dist/docs')

const listBuilt = (ending: string): string[] =>
  readdirSync(folder(), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))

async function started() {
  const { startSandbox } = await importPacked('workspace-sandbox/node')
  const running = await startSandbox({ size: 3, port: 0 })
  onTestFinished(() => running.close())
  return running
}

it('serves every page complete, with its own address in the examples, and without inline scripts', async () => {
  const { url } = await started()
  const pages = listBuilt('.html').filter((name) => name !== '404.html')
  expect(pages.length).toBeGreaterThan(40)
  for (const name of pages) {
    const response = await fetch(`${url}/_sandbox/docs/${name.replace(/(?:index)?\.html$/, '')}`)
    expect(response.status, `at ${name}`).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
    const html = await response.text()
    expect(html).not.toMatch(/http:\/\/127\.0\.0\.1:4500\b/)
    expect(html.match(/<script(?![^>]* src=)[^>]*>/g), `at ${name}`).toBeNull()
  }
  expect(await (await fetch(`${url}/_sandbox/docs/faults`)).text()).toContain(`${url}/_sandbox/faults`)
})

it('links only to pages and headings that exist', () => {
  const pages = new Map(listBuilt('.html').map((name) => [name, readFileSync(join(folder(), name), 'utf8')]))
  const broken = Array.from(pages, ([name, html]) =>
    Array.from(html.matchAll(/<a [^>]*?href="(?:\/_sandbox\/docs\/([^"#]*))?(?:#([^"]*))?"/g))
      .filter(([, path, anchor]) => {
        const file =
          path === undefined ? name : path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`
        const target = pages.get(file)
        return !target || (anchor !== undefined && !target.includes(` id="${decodeURIComponent(anchor)}"`))
      })
      .map(([link]) => `${name}: ${link}`),
  ).flat()
  expect(broken).toEqual([])
})

it('redirects /docs and /llms.txt, and serves each page as Markdown for coding agents', async () => {
  const { url } = await started()
  for (const path of ['/docs', '/docs/']) {
    expect((await fetch(`${url}${path}`)).url).toBe(`${url}/_sandbox/docs/`)
  }
  expect((await fetch(`${url}/docs/faults`)).url).toBe(`${url}/_sandbox/docs/faults`)
  const list = await (await fetch(`${url}/llms.txt`)).text()
  const links = Array.from(list.matchAll(/\((http[^)]*\.md)\)/g), ([, link = '']) => link)
  expect(links.length).toBeGreaterThan(15)
  for (const link of links) {
    const response = await fetch(link)
    expect(response.headers.get('content-type'), `at ${link}`).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toMatch(/^# /)
  }
})

it('shows for every operation of the service a curl and the response that it gets', async () => {
  const sandbox = await createSandbox()
  const operations = listBuilt('.md')
    .filter((name) => /^reference.(?!control-|index|exports|assumptions)/.test(name))
    .flatMap((name) => readFileSync(join(folder(), name), 'utf8').split(/^## /m).slice(1))
  expect(operations.length).toBe(endpoints.length)
  for (const text of operations) {
    const [, method = 'GET', target = ''] =
      /^curl (?:-X (\w+) )?'http:\/\/127.0.0.1:4500(\/v1[^']*)'/m.exec(text) ?? []
    const [, body] = /^curl .* -d '(.*)'$/m.exec(text) ?? []
    const [, shown = ''] = /^```json\n(.*?)\n```/ms.exec(text) ?? []
    const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
    const response = await sandbox.session().fetch(target, { method, headers, ...(body && { body }) })
    expect(JSON.parse(shorten(await response.text())), `of ${target}`).toEqual(JSON.parse(shown))
  }
})

it('shows for every call of the control plane commands that work, and the response that the last one gets', async () => {
  const operations = listBuilt('.md')
    .filter((name) => /^reference.control-/.test(name))
    .flatMap((name) => readFileSync(join(folder(), name), 'utf8').split(/^## /m).slice(1))
  expect(operations.length).toBe(Object.keys(controlExamples).length)
  const open = await createFresh({ size: 'medium' })
  for (const text of operations) {
    const [, id = ''] = /^(\w+)/.exec(text) ?? []
    if (id === 'streamRequests') continue
    const [, script = ''] = /^### Example\n\n```sh\n(.*?)\n```/ms.exec(text) ?? []
    const steps = script.split('\n').map(parseCurl)
    const response = await runExample(steps, (await open(steps)).fetch)
    expect(response.ok, `${id} responds with ${response.status}`).toBe(true)
    const [, shown] = /^### Example\n\n```sh.*?^```json\n(.*?)\n```/ms.exec(text) ?? []
    const body = await response.text()
    expect(body === '' ? undefined : JSON.parse(shorten(body)), `of ${id}`).toEqual(
      shown && JSON.parse(shown),
    )
  }
})

/** Reads a command of the reference. */
function parseCurl(line: string): Step {
  const [, method = 'GET', target = ''] =
    /^curl (?:-X (\w+) )?'http:\/\/127.0.0.1:4500([^']*)'/.exec(line) ?? []
  const [, body] = / -d '(.*)'/.exec(line) ?? []
  const [, file] = / (?:-d @|-o )(\S+)/.exec(line) ?? []
  return {
    method,
    target,
    isHeld: line.endsWith('&'),
    ...(body && { body: JSON.parse(body) }),
    ...(file && { file }),
  }
}

/** The words that people type, and the page that answers it. */
const queries: Readonly<Record<string, RegExp>> = {
  page: /^using-the-service#pages/,
  paging: /^using-the-service#pages/,
  parameters: /^using-the-service#filters/,
  playwright: /^embedding#workspace-sandboxplaywright/,
  error: /^using-the-service#error-body/,
  keyboard: /^console#keyboard/,
  'why is a row missing': /^using-the-service#why-is-a-row-missing/,
  'how do i get a token': /^using-the-service#token/,
  'rate limit': /^faults#limit-the-rate/,
  pagination: /^using-the-service#pages|^reference/,
  'reset between tests': /^sessions/,
  cors: /^getting-started#questions/,
  docker: /^sharing/,
  kubernetes: /^sharing#kubernetes/,
  token: /^using-the-service#token/,
  seed: /^fixtures/,
  scope: /^using-the-service#scopes/,
  updatedSince: /^using-the-service#filters|^reference\/customers|^testing-a-sync/,
  'parallel tests': /^getting-started#questions|^sessions/,
  'create a customer': /^arranging-data#create/,
  auth: /^using-the-service#token/,
  'node version': /^getting-started#install/,
  uninstall: /^getting-started/,
  'time travel': /^clock/,
  csv: /^getting-started#questions/,
  graphql: /^getting-started#questions/,
  healthScore: /^using-the-service#filters|^reference\/customers/,
  listSignals: /^reference\/signals#listsignals/,
  inProgress: /^reference\/signals|^assumptions#name-the-statuses/,
}

it('finds the page for the words that people type', async () => {
  const chunks = join(folder(), 'assets/chunks')
  const name = readdirSync(chunks).find((one) => one.startsWith('@localSearchIndexroot')) ?? ''
  const { default: json }: { default: string } = await import(/* @vite-ignore */ join(chunks, name))
  const options: Options = { fields: ['title', 'titles', 'text'], searchOptions }
  const index = MiniSearch.loadJSON(json, options)
  const first = Object.keys(queries).map((query) => [
    query,
    String(index.search(query)[0]?.id).replace('/_sandbox/docs/', ''),
  ])
  const wrong = first.filter(([query = '', id = '']) => !queries[query]?.test(id))
  expect(wrong.length, `wrong: ${JSON.stringify(wrong)}`).toBeLessThanOrEqual(1)
})

it('finds a heading with the keyboard alone, loads nothing from elsewhere, and axe finds nothing', async () => {
  const { url } = await started()
  const { page, requests, errors } = await opened(`${url}/_sandbox/docs/reference/customers`, 'h1')
  // The keys work, and every button has a name, once the script has taken over what the server sent.
  const takeOver = () => expectSoon(page, "document.querySelector('#app').__vue_app__")
  await takeOver()
  await page.keyboard.press('Control+k')
  await page.locator('input[type=search]').fill('reset between tests')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sessions**')
  await page.keyboard.press('Escape')
  for (const path of ['', 'faults', 'reference/', 'reference/control-faults']) {
    await page.goto(`${url}/_sandbox/docs/${path}`)
    await takeOver()
    // All pages have the same frame, which is another one in a wide window.
    for (const width of path === '' || path === 'reference/' ? [1280, 400] : [400]) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page)
    }
  }
  expect(
    requests.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:')),
  ).toEqual([])
  expect(errors).toEqual([])
})
