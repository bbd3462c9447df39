import { test as base } from '@playwright/test'

/** A session of the sandbox, which nothing outside of the test sees. */
interface Session {
  /** Calls the control plane in this session. */
  steer(path: string, data: object): Promise<void>
}

/** A `test` whose page asks in a session of its own, by the header that goes with each of its requests. */
export const test = base.extend<{ session: Session }>({
  session: [
    async ({ request, context }, use) => {
      const { id }: { id: string } = await (await request.post('/_sandbox/sessions')).json()
      const headers = { 'sandbox-session': id }
      await context.setExtraHTTPHeaders(headers)
      await use({
        steer: async (path, data) => {
          const answer = await request.post(`/_sandbox/${path}`, { headers, data })
          if (!answer.ok()) throw new Error(await answer.text())
        },
      })
      await request.delete(`/_sandbox/sessions/${id}`)
    },
    { auto: true },
  ],
})
