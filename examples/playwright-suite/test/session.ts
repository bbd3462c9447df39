import { test as base } from '@playwright/test'

/** A session of the sandbox that only this test sees. */
interface Session {
  /** Calls the control plane in this session. */
  control(path: string, data: object): Promise<void>
}

/** A `test` with its own session: the page sends the `Sandbox-Session` header with every request. */
export const test = base.extend<{ session: Session }>({
  session: [
    async ({ request, context }, use) => {
      const { id }: { id: string } = await (await request.post('/_sandbox/sessions')).json()
      const headers = { 'sandbox-session': id }
      await context.setExtraHTTPHeaders(headers)
      await use({
        control: async (path, data) => {
          const response = await request.post(`/_sandbox/${path}`, { headers, data })
          if (!response.ok()) throw new Error(await response.text())
        },
      })
      await request.delete(`/_sandbox/sessions/${id}`)
    },
    { auto: true },
  ],
})
