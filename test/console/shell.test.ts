import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

import { startSandbox } from '../../src/node.ts'
import { expectRefusal, serve } from '../sandbox/control-support.ts'
import {
  open,
  OWN_PORT,
  STOPPED,
  waitUntilSettled,
  expectAccessible,
  expectSoon,
  expectFocus,
} from './support.ts'

const views = ['Start', 'Traffic', 'Data', 'Control']

/** Finds the seed on the page of the dataset. */
const findSeed = (page: Page) => page.locator('dt', { hasText: /^Seed$/ }).locator('+ dd')

it('links to each view and the docs, names it in the title, and goes back', async () => {
  const { page } = await open()
  const docs = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Docs' })
  expect(await docs.getAttribute('href')).toBe('/_sandbox/docs/')
  for (const name of views) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click()
    await expectSoon(page, `document.title.startsWith('${name} ·')`)
    await expect.poll(() => page.getByRole('main', { name }).isVisible()).toBe(true)
    await expect.poll(() => page.getByRole('banner').locator('[aria-current=page]').textContent()).toBe(name)
  }
  await page.goBack()
  await page.getByRole('main', { name: 'Data' }).waitFor()
})

it('returns by Back to where the reader was, and begins other views at their top', async () => {
  const { page } = await open({ at: '#/data/customers', window: { viewport: { width: 1280, height: 400 } } })
  const top = () => page.evaluate(`document.querySelector('main').scrollTop`)
  const last = page.locator('.opens-row').last()
  await last.focus()
  await last.scrollIntoViewIfNeeded()
  const before = await top()
  expect(before).toBeGreaterThan(100)
  await last.press('Enter')
  await page.getByRole('region', { name: 'Related' }).waitFor()
  expect(await top()).toBe(0)
  await page.goBack()
  await expect.poll(top).toBe(before)
  await expectFocus(page, 'className', 'opens-row')
})

it('asks for the admin token before it calls anything, and works once it has it', async () => {
  const { page, errors } = await open({ sandbox: { adminToken: 'secret' }, failures: /401/ })
  await expectFocus(page, 'type', 'password')
  await page.locator('main[aria-busy=false]').waitFor()
  expect(errors).toEqual([])
  await page.getByLabel('Token').fill('wrong')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('alert').getByText('Invalid admin token.').waitFor()
  await page.getByLabel('Token').fill('secret')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByText('live', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('mock')
})

it('shows the session in its URL, and switches to another one', async () => {
  const { page, sandbox, url } = await open()
  const session = sandbox.session({ name: 'checkout' })
  await page.reload()
  await page.getByLabel('Session').selectOption({ label: `checkout (${session.id})` })
  await page.waitForURL(`${url}/_sandbox?session=${session.id}`)
  await waitUntilSettled(page)
  await page.getByLabel('Session').selectOption('default')
  await page.waitForURL(`${url}/_sandbox`)
  await expect.poll(() => page.getByLabel('Session').inputValue()).toBe('')
})

it('shows what is not as at the start, leads there, and removes it', async () => {
  const { page, sandbox, url } = await open()
  const list = page.getByRole('list', { name: 'Different from the start' })
  expect(await list.count()).toBe(0)
  sandbox.clock.advance('P30D')
  sandbox.faults.add({ status: 500 })
  sandbox.scenarios.add({ name: 'token-revoked' })
  await sandbox.data.customers.patch(1, { name: 'Tern & Co' })
  await fetch(`${url}/_sandbox/assumptions`, { method: 'PATCH', body: '{"errorFormat":"error"}' })
  for (const [text, to, removal] of [
    ['+30 days', '#/control/clock', 'Reset the clock'],
    ['1 fault', '#/control/faults', 'Remove 1 fault'],
    ['1 scenario', '#/control/scenarios', 'Remove 1 scenario'],
    ['1 change', '#/data/changes', 'Undo 1 change'],
    ['1 assumption', '#/control/assumptions?text=overridden', 'Restore 1 assumption'],
  ] as const) {
    const chip = list.getByRole('link', { name: text })
    await chip.click()
    await page.waitForURL(`${url}/_sandbox${to}`)
    const isUndo = removal === 'Undo 1 change'
    await (isUndo ? page : list).getByRole('button', { name: removal }).click()
    if (isUndo) await page.getByRole('dialog').getByRole('button', { name: removal }).click()
    await chip.waitFor({ state: 'detached' })
  }
  expect(await list.count()).toBe(0)
})

it('follows the journal again after an attempt failed', async () => {
  const { page, errors } = await open({ failures: /500/ })
  await page.route('**/_sandbox/requests?bodies=false', (route) => route.fulfill({ status: 500 }), {
    times: 1,
  })
  const failed = page.waitForResponse((response) => response.status() === 500)
  await page.reload()
  await failed
  await waitUntilSettled(page)
  expect(errors.filter((error) => !error.includes('500'))).toEqual([])
})

it('reports on every view that the sandbox has stopped, and reloads all if another dataset is served there', async () => {
  const { page, close } = await open({
    at: '#/control/dataset',
    sandbox: { seed: 42, port: OWN_PORT },
    failures: STOPPED,
  })
  await findSeed(page).getByText('42').waitFor()
  await close()
  await page
    .getByRole('alert')
    .getByText(/ --seed 42 --size 25 --fixture default/)
    .waitFor()
  for (const name of views.toReversed()) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
  }
  await expectAccessible(page)
  await page.evaluate("location.hash = '#/control/dataset'")
  const again = await startSandbox({ size: 'small', port: OWN_PORT, seed: 7 })
  onTestFinished(() => again.close())
  await findSeed(page).getByText('7', { exact: true }).waitFor()
  await waitUntilSettled(page)
})

it('reloads everything after a reseed by someone else', async () => {
  const { page, sandbox } = await open({ at: '#/control/dataset', sandbox: { seed: 42 } })
  await sandbox.reseed({ seed: 7 })
  await findSeed(page).getByText('7', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('live', { exact: true }).isVisible()).toBe(true)
})

it('reports once on each view that its session does not exist, and switches to the default one', async () => {
  const { page, url } = await open({ failures: /404/ })
  const gone = page.getByRole('alert').filter({ hasText: 'Session gone not found' })
  for (const name of views) {
    await page.goto('about:blank')
    await page.goto(`${url}/_sandbox?session=gone#/${name.toLowerCase()}`)
    await gone.waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
    await expect.poll(() => page.getByText('Loading').count()).toBe(0)
  }
  await page.getByRole('button', { name: 'Switch to the default session' }).click()
  await page.waitForURL(`${url}/_sandbox#/control`)
  await waitUntilSettled(page)
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

it('runs only its own scripts, and cannot be framed', async () => {
  const { ask } = await serve()
  const { status, headers, body } = await ask('/_sandbox')
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'/,
  )
  const loaded = Array.from(body.matchAll(/(?:src|href)="(\/_sandbox\/[^"]+)"/g), ([, path = '']) => path)
  expect(loaded).toHaveLength(2)
  for (const path of loaded) {
    const asset = await ask(path)
    expect(asset.status, `for ${path}`).toBe(200)
    expect(asset.headers['cache-control']).toContain('immutable')
  }
  expectRefusal(await ask('/_sandbox/assets/..%2findex.html'), 'not_found')
  expect((await ask('/_sandbox/')).headers.location).toBe('/_sandbox')
})

it('takes less than 70 kB to load', () => {
  const folder = 'dist/console'
  const names = ['index.html', ...readdirSync(`${folder}/assets`).map((name) => `assets/${name}`)]
  const sizes = names.map((name) => gzipSync(readFileSync(`${folder}/${name}`)).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000)
})
