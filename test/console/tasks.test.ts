import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { type Step, countClicks } from './data-support.ts'
import { type Console, open, waitUntilSettled } from './support.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

/** Checks whether the selected action is in the part of the list that is in sight. */
async function isInSight(page: Page): Promise<boolean> {
  const list = page.getByRole('listbox')
  const selected = await list.getByRole('option', { selected: true }).boundingBox()
  const { y, height } = (await list.boundingBox()) ?? { y: 0, height: 0 }
  return selected !== null && selected.y + selected.height <= y + height + 1
}

const tasks: readonly (readonly [
  task: string,
  mostClicks: number,
  steps: (page: Page) => readonly Step[],
  check: (console: Console) => unknown,
])[] = [
  [
    'has the curl of a member of another organization',
    3,
    (page) => [
      [page.getByRole('combobox', { name: 'As' }), 'Omar Haddad (quill)'],
      button(page, 'Copy the command'),
    ],
    ({ page }) => page.getByText('Bearer sbx_quill_501').waitFor(),
  ],
  [
    'advances the clock by 30 days',
    3,
    (page) => [link(page, 'Control'), link(page, 'Clock'), button(page, '+30 days')],
    async ({ sandbox }) => {
      await expect.poll(() => sandbox.clock.now()).toBe('2026-02-14T12:00:00.000Z')
    },
  ],
  [
    'forks the session and uses the copy',
    2,
    (page) => [
      button(page, 'All actions'),
      () => page.keyboard.type('fork'),
      option(page, /^Fork this session/),
    ],
    ({ page }) => page.waitForURL(/session=session-1/),
  ],
  [
    'creates three signals of a customer, and returns to all of them',
    8,
    (page) => [
      link(page, 'Data'),
      link(page, '2 Tidewater Clinics, customer'),
      link(page, 'Signals with this customerId'),
      button(page, 'New signal'),
      button(page, 'Create and add another'),
      () =>
        page
          .getByRole('dialog')
          .getByText(/^Created signal \d+\./)
          .waitFor(),
      button(page, 'Create and add another'),
      () =>
        page
          .getByRole('status')
          .getByText(/^Created signal \d+2\.$/)
          .waitFor(),
      page.getByRole('button', { name: 'Create', exact: true }),
      link(page, '← Signals'),
    ],
    async ({ page, sandbox, get }) => {
      await page.getByRole('button', { name: 'customerId: 2 ×' }).waitFor()
      const changes = await sandbox.data.changes()
      const created = changes.map(({ id }) => get(`/organizations/harbor/signals/${id}`))
      const one = { customerId: 2 }
      expect(await Promise.all(created)).toMatchObject([one, one, one])
    },
  ],
  [
    'finds a page of the docs',
    2,
    (page) => [
      button(page, 'All actions'),
      () => page.keyboard.type('docs living'),
      option(page, 'Open the docs: living tenant'),
    ],
    ({ page }) => page.waitForURL(/docs\/living-tenant$/),
  ],
  [
    'chooses the last of all actions by keyboard, and sees it',
    1,
    (page) => [button(page, 'All actions'), () => page.keyboard.press('ArrowUp')],
    async ({ page }) => {
      await expect.poll(() => isInSight(page)).toBe(true)
    },
  ],
]

it.for(tasks)('%s in at most %i clicks', async ([, mostClicks, steps, check]) => {
  const console = await open()
  const { page, send } = console
  await send('/organizations/harbor/customers/99999')
  await waitUntilSettled(page)
  const clicks = await countClicks(...steps(page))
  await check(console)
  expect(clicks).toBeLessThanOrEqual(mostClicks)
})
