import { createTest, expect } from 'workspace-sandbox/playwright'

export { expect }

export const test = createTest({ size: 'small' })

export const mara = { authorization: 'Bearer sbx_harbor_1' }

export const html = { contentType: 'text/html', body: '<!doctype html><title>App</title>' }

/** Lets a page call a URL; a broken connection has the status 0. */
export const ask = async (page, url) =>
  page.evaluate(
    async ([address, sent]) => {
      try {
        const response = await fetch(address, { headers: sent })
        return { status: response.status, body: await response.text() }
      } catch (error) {
        return { status: 0, body: String(error) }
      }
    },
    [url, mara],
  )

export async function openApp({ context, page }) {
  await context.route('http://app.test/', (route) => route.fulfill(html))
  await page.goto('/')
}
