import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { type Console, open, waitUntilSettled } from './support.ts'

/** Counts clicks; choosing an option takes two, typing none. */
interface Hand {
  readonly click: (target: Locator) => Promise<void>
  readonly choose: (target: Locator, label: string) => Promise<void>
  readonly clicks: () => number
}

function createHand(): Hand {
  let count = 0
  return {
    click: async (target) => {
      count += 1
      await target.click()
    },
    choose: async (target, label) => {
      count += 2
      await target.selectOption({ label })
    },
    clicks: () => count,
  }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

/** A task: the most clicks that it may take, how it is done, and how its effect is seen. */
interface Task {
  readonly task: string
  readonly most: number
  readonly act: (hand: Hand, page: Page) => Promise<void>
  readonly check: (console: Console) => Promise<void> | void
}

const tasks: readonly Task[] = [
  {
    task: 'has the curl of a member of another organization',
    most: 3,
    act: async (hand, page) => {
      await hand.choose(
        page.getByRole('combobox', { name: 'As' }),
        'Omar Haddad · Customer Success Manager (quill)',
      )
      await hand.click(button(page, 'Copy the snippet'))
    },
    check: async ({ page }) => {
      await page.getByRole('tabpanel').getByText('Bearer sbx_quill_501').waitFor()
    },
  },
  {
    task: 'makes the next listCustomers fail',
    most: 3,
    act: async (hand, page) => {
      await hand.click(button(page, 'All actions'))
      await page.keyboard.type('fail listcustomers')
      await hand.click(option(page, 'Fail the next listCustomers with 503'))
    },
    check: async ({ sandbox }) => {
      const expected = [{ operationId: 'listCustomers', status: 503, times: 1 }]
      await expect.poll(() => sandbox.faults.list()).toMatchObject(expected)
    },
  },
  {
    task: 'makes everything slower by 2 s',
    most: 3,
    act: async (hand, page) => {
      await hand.click(link(page, 'Control'))
      await hand.click(button(page, /^Slow: 2 s/))
    },
    check: async ({ sandbox }) => {
      await expect.poll(() => sandbox.faults.list()).toMatchObject([{ delayMs: 2_000 }])
    },
  },
  {
    task: 'advances the clock by 30 days',
    most: 3,
    act: async (hand, page) => {
      await hand.click(link(page, 'Control'))
      await hand.click(link(page, 'Clock'))
      await hand.click(button(page, '+30 days'))
    },
    check: async ({ sandbox }) => {
      await expect.poll(() => sandbox.clock.now()).toBe('2026-02-14T12:00:00.000Z')
    },
  },
  {
    task: 'forks the session and uses the copy',
    most: 2,
    act: async (hand, page) => {
      await hand.click(button(page, 'All actions'))
      await page.keyboard.type('fork')
      await hand.click(option(page, /^Fork this session/))
    },
    check: async ({ page }) => {
      await page.waitForURL(/session=session-1/)
    },
  },
  {
    task: 'turns a failing request into a test',
    most: 4,
    act: async (hand, page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await hand.click(page.getByRole('navigation').getByRole('link', { name: 'Traffic', exact: true }))
      await hand.click(page.getByRole('grid').getByRole('link'))
      await hand.click(page.getByRole('tab', { name: 'What if' }))
      await hand.click(button(page, 'Save as test'))
    },
    check: async ({ page }) => {
      const copied = () => page.evaluate('navigator.clipboard.readText()')
      await expect.poll(copied).toContain('expect(response.status).toBe(404)')
    },
  },
  {
    task: 'switches the error format, and sees it',
    most: 4,
    act: async (hand, page) => {
      await hand.click(link(page, 'Control'))
      await hand.click(link(page, 'Assumptions'))
      await hand.click(page.getByRole('link', { name: /^A-05/ }))
      await hand.click(
        page
          .getByRole('region', { name: '{ "message", "statusCode" }' })
          .getByRole('button', { name: 'Use it' }),
      )
    },
    check: async ({ page, get }) => {
      const alternative = page.getByRole('region', { name: '{ "message", "statusCode" }' })
      await alternative.getByText('in use').waitFor()
      expect(await get('/nowhere')).toMatchObject({ statusCode: 404 })
    },
  },
]

it.for(tasks)('$task in at most $most clicks', async ({ most, act, check }) => {
  const console = await open()
  const { page, send } = console
  await send('/organizations/harbor/customers/99999')
  await waitUntilSettled(page)
  const hand = createHand()
  await act(hand, page)
  await check(console)
  expect(hand.clicks()).toBeLessThanOrEqual(most)
})
